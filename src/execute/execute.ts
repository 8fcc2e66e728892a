/** The one corridor: a tool and a call go in, an output or a ToolError comes out. No door is known here. */
import type { Caller } from '../core/caller.ts';
import type { Door, Tool } from '../core/define-tool.ts';
import { unsupported } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import type { Ports } from '../core/ports.ts';
import type { ToolOutput } from '../core/tool-output.ts';
import { checkFiles } from './input-files.ts';
import { parseParameters } from './parse-parameters.ts';

export interface ToolCall {
  parameters: Record<string, unknown>;
  /** Uploaded files, or those that `fileUrl`/`fileUrls` name, in order. */
  files: readonly InputFile[];
  door: Door;
  caller: Caller;
  signal: AbortSignal;
  progress?(fraction: number, message?: string): void;
}

export interface Executed {
  output: ToolOutput;
  warnings: string[];
}

const ignoreProgress = () => {};

type Run = (
  parameters: Record<string, unknown>,
  context: unknown,
) => ToolOutput | Promise<ToolOutput>;

/**
 * Runs one tool. Throws ToolError for whatever the caller should hear; anything else that escapes is a defect.
 */
export async function execute(tool: Tool, call: ToolCall, ports: Ports): Promise<Executed> {
  if (!tool.run) throw browserOnly(tool);
  const { parameters, warnings } = parseParameters(tool, call.parameters, call.door === 'mcp');
  checkFiles(tool, call.files);
  const context: Record<string, unknown> = {
    files: call.files,
    caller: call.caller,
    get signal() {
      return call.signal;
    },
    progress: call.progress ?? ignoreProgress,
    warn: (message: string) => warnings.push(message),
  };
  for (const name of tool.needs) context[name] = ports[name];
  const output = await (tool.run as unknown as Run)(parameters, context);
  return { output, warnings };
}

/** 501: the tool runs in the browser only. */
export const browserOnly = (tool: Tool) =>
  unsupported(
    `${tool.name} runs in the browser only, on its page /tools/${tool.name}; it has no server-side implementation.`,
  );
