/** A tool call as its REST request's body gives it. */
import type { Tool } from '../core/define-tool.ts';
import type { InputFile } from '../core/input-file.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** Where the finished job is posted, as the caller gave it. */
  webhook?: unknown;
  /** Deletes what the request left in storage and nothing stored; absent if there can be none. */
  release?(): Promise<void>;
}
