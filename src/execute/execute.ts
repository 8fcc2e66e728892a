/** The one corridor: a tool and a call go in, an output or a ToolError comes out. No door is known here. */
import type { Caller } from '../core/caller.ts';
import {
  type CallContext,
  type Door,
  linkNameOf,
  partName,
  type Tool,
} from '../core/define-tool.ts';
import { ToolError, unsupported } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import type { Ports } from '../core/ports.ts';
import { withRequest } from '../core/request-id.ts';
import type { ToolOutput } from '../core/tool-output.ts';
import { checkFiles, type LinkOpener, openLinks, takeLinks } from './input-files.ts';
import { parseParameters } from './parse-parameters.ts';
import { checkResultSize } from './result-size.ts';

/** A call as its caller made it. */
export interface ToolCall {
  parameters: Record<string, unknown>;
  /** Uploaded files, in order. */
  files: readonly InputFile[];
  door: Door;
}

/** A call that is well formed, ready to be let in and run. */
export interface PreparedCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  /** What `fileUrl`/`fileUrls` name; opened when the call runs. */
  links: readonly string[];
  warnings: string[];
  /** What the tool's `check` parsed. */
  checked: unknown;
}

/** What a run needs beside the call. */
export interface Circumstances {
  caller: Caller;
  requestId: string;
  /** What aborts when nobody waits for the call any more; made when it is asked for: most tools do not. */
  signal(): AbortSignal;
  /** What opens the call's links; own storage alone unless given. */
  linked?: LinkOpener;
  /** Bytes that a JSON result may take as JSON, where it is stored. */
  resultBytes?: number;
  progress?(fraction: number, message?: string): void;
  /** Charges model tokens, noted under the name of the tool that asked. */
  spend?(tokens: number, tool: string): void;
  /** Where time or other tools lie between the way in and this one: throws where no model tokens are left for it. */
  requireTokens?(tool: string): Promise<void>;
}

export interface Executed {
  output: ToolOutput;
  warnings: string[];
}

const ignore = () => {};

/** What a run is handed, beside its ports. An accessor of a literal would cost more than all else that is made here. */
class RunContext implements CallContext {
  readonly files: readonly InputFile[];
  readonly caller: Caller;
  readonly resultBytes: number;
  readonly progress: CallContext['progress'];
  readonly warn: CallContext['warn'];
  readonly spend: CallContext['spend'];
  readonly #signal: () => AbortSignal;

  constructor(
    { name }: Tool,
    files: readonly InputFile[],
    { caller, resultBytes = Infinity, signal, progress = ignore, spend = ignore }: Circumstances,
    warnings: string[],
  ) {
    this.files = files;
    this.caller = caller;
    this.resultBytes = resultBytes;
    this.progress = progress;
    this.warn = (message) => warnings.push(message);
    this.spend = (tokens) => spend(tokens, name);
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

type Run = (
  parameters: Record<string, unknown>,
  context: unknown,
  checked: unknown,
) => ToolOutput | Promise<ToolOutput>;

/** Judges a call by itself, before it is counted: nothing is awaited. Throws ToolError 400, 413 or 501. */
export function prepare(tool: Tool, call: ToolCall): PreparedCall {
  if (!tool.run) throw browserOnly(tool);
  // Most tools take no file, and a call of them brings none.
  const hasFiles = tool.files !== undefined || call.files.length > 0;
  const { links, rest } = hasFiles
    ? takeLinks(tool, call.parameters, call.files)
    : { links: [], rest: call.parameters };
  const { parameters, warnings } = parseParameters(tool, rest, call.door === 'mcp');
  const checked = tool.check?.(parameters as never);
  if (hasFiles && links.length === 0) checkFiles(tool, call.files);
  return {
    tool: asCalled(tool, parameters),
    parameters,
    files: call.files,
    links,
    warnings,
    checked,
  };
}

/**
 * Runs a prepared call. Throws ToolError for whatever the caller should hear; anything else that escapes is a defect.
 */
export function execute(
  call: PreparedCall,
  circumstances: Circumstances,
  ports: Ports,
): Promise<Executed> {
  const executed = run(call, circumstances, ports);
  if (call.links.length === 0) return executed;
  return executed.catch((error) => {
    throw namingLinks(call.tool, error);
  });
}

async function run(
  call: PreparedCall,
  circumstances: Circumstances,
  ports: Ports,
): Promise<Executed> {
  const { tool, parameters, links, warnings, checked } = call;
  let { files } = call;
  if (tool.spendsTokens === true) await circumstances.requireTokens?.(tool.name);
  if (links.length > 0) {
    files = await openLinks(
      tool,
      links,
      circumstances.linked ?? ports.storage,
      circumstances.signal(),
    );
    checkFiles(tool, files);
  }
  const context = new RunContext(tool, files, circumstances, warnings);
  for (const name of tool.needs) Object.assign(context, { [name]: ports[name] });
  const runTool = () => (tool.run as unknown as Run)(parameters, context, checked);
  // Ports hand the request on: the logs of both sides name it, and the media worker counts by its caller.
  const request = { id: circumstances.requestId, caller: circumstances.caller };
  const made = tool.needs.length > 0 ? withRequest(request, runTool) : runTool();
  const output = made instanceof Promise ? await made : made;
  const { resultBytes } = circumstances;
  if (resultBytes !== undefined && output.kind === 'json') {
    checkResultSize(output.value, resultBytes);
  }
  return { output, warnings };
}

/** What is wrong with a file, said of the parameter by which it came. */
function namingLinks(tool: Tool, error: unknown): unknown {
  const { files } = tool;
  const isOfFile = files && error instanceof ToolError && error.param === partName(files);
  return isOfFile ? error.naming(linkNameOf(tool)!) : error;
}

/** The tool as a call of it is counted: whether that asks a model may lie in its parameters. */
export function asCalled(tool: Tool, parameters: Record<string, unknown>): Tool {
  const { spendsTokens } = tool;
  if (typeof spendsTokens !== 'function') return tool;
  return { ...tool, spendsTokens: spendsTokens(parameters as never) };
}

/** Throws 501 where a tool can answer nothing here, for want of a model. Who needs an account first hears that at the gate. */
export function requireModel(
  { model, access }: Tool,
  { accountId }: Caller,
  { models }: Pick<Ports, 'models'>,
): void {
  if (model && (access !== 'account' || accountId !== undefined)) models.require(model);
}

/** 501: the tool runs in the browser only. */
export const browserOnly = (tool: Tool) =>
  unsupported(
    `${tool.name} runs in the browser only, on its page /tools/${tool.name}; it has no server-side implementation.`,
  );
