/** Defines the properties of the views that show JSON results. */
import type { Tool } from '../../../core/define-tool.ts';

export interface ResultProps {
  tool: Tool;
  // biome-ignore lint/suspicious/noExplicitAny: each view knows the result of its tool
  value: Record<string, any>;
  /** The parameters of the call, if the tool ran in the page. */
  parameters?: Record<string, unknown>;
  /** The URL prefix of links to stored files. */
  site: { storageUrl: string };
}
