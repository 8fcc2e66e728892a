/**
 * Defines how a tool shows its result on a page, as a function of the result, of the page's components, and of the
 * parameters if the tool ran in the page. A view that returns null leaves the result to the page's own views.
 */
import type { Child, FC } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Plain text, or text that contains HTML elements. */
type Code = string | HtmlEscapedString | Promise<HtmlEscapedString>;

/** The components that the site passes to a view. A tool may not import the site. */
export interface ViewParts {
  /** Code with a button that copies the code. `what` names the code on the button, and `wrap` breaks long lines. */
  CodeBlock: FC<{ code: Code; what: string; wrap?: boolean }>;
  /**
   * A table of `<tr>` children that scrolls if it is too wide. `label` is for screen readers, and `look` is a CSS
   * class.
   */
  Table: FC<{ label: string; columns: readonly string[]; look?: string; children?: Child }>;
  /** A list of names and values, each with a button that copies the value. */
  CopyList: FC<{ values: Record<string, unknown> }>;
  /** A list of names and values, as shown for a result without a view. */
  FieldList: FC<{ value: Record<string, unknown> }>;
  /** Formats a number of bytes for display, as in `1.5 KB`. */
  sizeText(bytes: number): string;
}

export type ResultView<Result, Parameters = unknown> = (
  result: Result,
  parts: ViewParts,
  parameters?: Parameters,
) => Child;
