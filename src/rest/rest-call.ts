/** Defines a tool call as it is parsed from the body of a REST request. */
import type { Tool } from '../core/define-tool.ts';
import type { InputFile } from '../core/input-file.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** The URL to which the finished job is posted. It has not been validated. */
  webhook?: unknown;
  /**
   * Releases the request's memory and deletes temporary files that no result uses. Set only for multipart requests.
   */
  release?(): Promise<void>;
}
