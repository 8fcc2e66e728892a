/** Defines a checked tool call and the context in which it runs, and runs such calls. */
import type { Admission } from '../access/admission.ts';
import type { GeneralLimit } from '../access/general-limits.ts';
import type { CallRecord } from '../core/call-record.ts';
import type { Tool } from '../core/define-tool.ts';
import { MAX_STORED_JSON_BYTES } from '../core/limits.ts';
import { type Executed, execute, type OpenedCall } from '../execute/execute.ts';
import type { LinkFetcher } from '../execute/input-files.ts';
import type { Services } from '../services.ts';
import type { ToolResult } from './present-result.ts';

export interface McpContext {
  admission: Admission;
  services: Services;
  requestId: string;
  record: CallRecord;
  signal(): AbortSignal;
  spend(tokens: number, tool: string): void;
  /** Whether the client's protocol version supports `resource_link`. */
  links: boolean;
  /** Whether the client accepts a task in place of a result. */
  tasks: boolean;
}

/** Reports the progress as a number from 0 to 1. */
export type Progress = (fraction: number, message?: string) => void;

/** A valid call, with its charges and the function that runs it. */
export interface CheckedCall {
  /** The tools to whose limits the call is charged. */
  tools: readonly Tool[];
  /** The general limits, besides that of MCP, against which the call is charged. */
  limits?: readonly GeneralLimit[];
  /** The number of units that are charged to the MCP limit. */
  cost: number;
  run(progress: Progress | undefined): Promise<ToolResult>;
}

/** Runs an admitted tool call and presents its result. Tool errors are thrown. */
export async function runTool(
  call: OpenedCall,
  { admission, services, spend, requestId, record, signal }: McpContext,
  progress: Progress | undefined,
  present: (executed: Executed) => Promise<ToolResult>,
  linked?: LinkFetcher,
): Promise<ToolResult> {
  // Each call of a batch waits for the capacity separately.
  const large = services.largeCalls.of(admission.caller, signal);
  try {
    const executed = await execute(
      call,
      {
        caller: admission.caller,
        requestId,
        record,
        large: () => large,
        spend,
        resultBytes: MAX_STORED_JSON_BYTES,
        ...(progress && { progress }),
        ...(linked && { linked }),
        signal,
      },
      services.ports,
    );
    return await present(executed);
  } finally {
    large.end();
  }
}
