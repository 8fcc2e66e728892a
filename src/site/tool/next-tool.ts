/** Describes a tool to which a page can send its result, and the kinds of files that it accepts. */
export interface NextTool {
  name: string;
  title: string;
  kinds: string[];
  /** Whether the tool's page takes several files. */
  isMultiple: boolean;
}
