/** A tool call as its REST request's body gives it. */
import type { Tool } from '../core/define-tool.ts';
import type { InputFile } from '../core/input-file.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** Removes what the request left in storage and nobody kept; absent where it can have left nothing. */
  release?(): Promise<void>;
}
