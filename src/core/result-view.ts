/** How a tool shows its result on a page: a function of the result and of the components of pages. */
import type { Child, FC } from 'hono/jsx';

/** The site passes these to a view, because a tool may not import the site. */
export interface ViewParts {
  /** Code with a button that copies it. `what` names the code for that button; `wrap` breaks long lines. */
  CodeBlock: FC<{ code: string; what: string; wrap?: boolean }>;
  /**
   * A table of `<tr>` children that scrolls if it is too wide. `label` is for screen readers, `look` is a CSS class.
   */
  Table: FC<{ label: string; columns: readonly string[]; look?: string; children?: Child }>;
  /** Names and values, each with a button that copies it. */
  CopyList: FC<{ values: Record<string, unknown> }>;
  /** Names and values, as in a result without a view. */
  FieldList: FC<{ value: Record<string, unknown> }>;
  /** Returns a number of bytes as people read it: `1.5 KB`. */
  sizeText(bytes: number): string;
}

export type ResultView<Result> = (result: Result, parts: ViewParts) => Child;
