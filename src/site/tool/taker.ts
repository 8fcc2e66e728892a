/** Describes the tools to which a page can send its result. */

/** A tool that takes files, and the kinds of files that it accepts. */
export interface Taker {
  name: string;
  title: string;
  kinds: string[];
  /** Whether the tool's page takes several files. */
  isMultiple: boolean;
}
