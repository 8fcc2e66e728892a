/** A tool call as parsed from the body of a REST request. */
import type { Tool } from '../core/define-tool.ts';
import type { InputFile } from '../core/input-file.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** The unvalidated address to which the finished job is posted. */
  webhook?: unknown;
  /** Deletes temporary files that no result uses. Absent if the request has none. */
  release?(): Promise<void>;
}
