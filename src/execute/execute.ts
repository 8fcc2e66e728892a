/** Runs a tool call. It returns an output or throws a ToolError. It does not depend on the surface. */
import type { CallRecord } from '../core/call-record.ts';
import type { Caller } from '../core/caller.ts';
import { withRequest } from '../core/current-request.ts';
import {
  type CallContext,
  linkNameOf,
  partName,
  type Tool,
  type ToolSurface,
} from '../core/define-tool.ts';
import { ToolError, unsupported } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { type LargeCall, SMALL_JSON_BYTES } from '../core/large-call.ts';
import type { Ports } from '../core/ports.ts';
import type { FileOutput, ToolOutput } from '../core/tool-output.ts';
import {
  checkFiles,
  fetchFiles,
  type LinkFetcher,
  openLinks,
  type StoredLinks,
  takeLinks,
} from './input-files.ts';
import { parseParameters } from './parse-parameters.ts';
import { sizeOfJson } from './result-size.ts';

/** A call as the caller sent it. */
export interface ToolCall {
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  surface: ToolSurface;
  /** Warnings about parts of the request that were ignored. */
  warnings?: readonly string[];
}

/** A call whose parameters are valid. */
export interface PreparedCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  /** The values of `fileUrl` or `fileUrls`. */
  links: readonly string[];
  warnings: string[];
  /** The result of the tool's `check`. */
  checked: unknown;
}

/** A call whose files have been checked. It can now be admitted and run. */
export interface OpenedCall extends Omit<PreparedCall, 'files'> {
  /**
   * The files, and the links outside our storage as URLs. These links are fetched, and their files are checked, when
   * the call runs.
   */
  files: readonly (InputFile | URL)[];
}

/** The inputs of a run, without the call itself. */
export interface RunOptions {
  caller: Caller;
  requestId: string;
  record?: CallRecord | undefined;
  /**
   * Returns a signal that aborts when the result is no longer needed. It is created on demand, because most tools do
   * not use it.
   */
  signal(): AbortSignal;
  /** Fetches links outside our storage. It is required if the call may have such links. */
  linked?: LinkFetcher;
  /** The size limit of a JSON result, in bytes. Without it, the size is not checked. */
  resultBytes?: number;
  /** Returns the call's share of the capacity for large JSON. It is created on demand, because most calls are small. */
  large?(): LargeCall;
  progress?(fraction: number, message?: string): void;
  /** Charges model tokens and records them for the tool that used them. */
  spend?(tokens: number, tool: string): void;
  /**
   * Throws if the caller has no model tokens left. It is set only for calls that run some time after their admission.
   */
  requireTokens?(tool: string): Promise<void>;
}

export interface Executed {
  output: ToolOutput;
  warnings: string[];
  /** The output as JSON, and its size in bytes. They are set only if the size was checked. */
  text?: string;
  bytes?: number;
}

/** Returns the context of a run, without its ports. */
const contextOf = (
  { name }: Tool,
  files: readonly InputFile[],
  { caller, resultBytes = Infinity, signal, large, progress, spend }: RunOptions,
  warnings: string[],
): CallContext => ({
  files,
  caller,
  resultBytes,
  progress,
  get signal() {
    return signal();
  },
  warn: (message) => warnings.push(message),
  spend: (tokens) => spend?.(tokens, name),
  beginLarge: async (bytes) => large?.().begin(bytes),
});

type Run = (
  parameters: Record<string, unknown>,
  context: unknown,
  checked: unknown,
) => ToolOutput | Promise<ToolOutput>;

/** Checks the parameters of a call. Throws ToolError 400, 413 or 501. */
export function prepare(tool: Tool, call: ToolCall): PreparedCall {
  if (!tool.run) throw browserOnly(tool);
  const hasFiles = tool.files !== undefined || call.files.length > 0;
  const { links, rest } = hasFiles
    ? takeLinks(tool, call.parameters, call.files)
    : { links: [], rest: call.parameters };
  const { parameters, warnings } = parseParameters(
    tool,
    rest,
    call.surface === 'mcp',
    call.warnings,
  );
  const checked = tool.check?.(parameters as never);
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
 * Checks the files of a call and runs the tool's `checkWith`, before the call is counted. Reads at most the beginning
 * of each stored file, and does not fetch files from outside our storage. Throws ToolError.
 */
export async function openCall(
  call: PreparedCall,
  ports: Ports,
  stored: StoredLinks = ports.storage,
): Promise<OpenedCall> {
  const { tool, parameters, links, checked } = call;
  tool.checkWith?.(parameters as never, ports as never, checked as never);
  if (links.length === 0) {
    if (tool.files || call.files.length > 0) await checkFiles(tool, call.files);
    return call;
  }
  try {
    return { ...call, files: await openLinks(tool, links, stored) };
  } catch (error) {
    throw namingLinks(tool, error);
  }
}

/** Runs an admitted call. Throws a ToolError that may be shown to the caller. Any other error is a bug. */
export function execute(call: OpenedCall, options: RunOptions, ports: Ports): Promise<Executed> {
  const executed = run(call, options, ports);
  if (call.links.length === 0) return executed;
  return executed.catch((error) => {
    throw namingLinks(call.tool, error);
  });
}

async function run(call: OpenedCall, options: RunOptions, ports: Ports): Promise<Executed> {
  const { tool, parameters, warnings, checked } = call;
  if (tool.spendsTokens === true) await options.requireTokens?.(tool.name);
  const files =
    call.links.length === 0
      ? (call.files as readonly InputFile[])
      : await fetchFiles(tool, call.files, options.linked, options.signal);
  if (call.links.length > 0) options.record?.received(files);
  const { large, resultBytes } = options;
  const isLarge = tool.needs.length === 0 && isLargeText(parameters);
  // Other large calls may run while a tool waits for a port.
  if (isLarge) await large?.().begin();
  else if (tool.needs.length > 0) large?.().pause();
  const context = contextOf(tool, files, options, warnings);
  for (const name of tool.needs) Object.assign(context, { [name]: ports[name] });
  const runTool = tool.run as unknown as Run;
  const output = await (tool.needs.length > 0
    ? withRequest(requestOf(options), () => runTool(parameters, context, checked))
    : runTool(parameters, context, checked));
  if (isLarge) await large?.().begin();
  if (output.kind === 'file') return { output: withInputBytes(output, files), warnings };
  if (resultBytes === undefined) return { output, warnings };
  const text = JSON.stringify(output.value);
  return { output, warnings, text, bytes: sizeOfJson(text, resultBytes) };
}

/**
 * Returns the identity of the request for the adapters. Logs use its ID, and the media worker schedules work by its
 * caller.
 */
const requestOf = ({ requestId: id, caller, record }: RunOptions) => ({ id, caller, record });

const withInputBytes = (output: FileOutput, files: readonly InputFile[]): FileOutput =>
  files.length === 0
    ? output
    : {
        ...output,
        facts: { ...output.facts, inputBytes: files.reduce((sum, { size }) => sum + size, 0) },
      };

/** Whether the total length of the string parameters is large. */
function isLargeText(parameters: Record<string, unknown>): boolean {
  let length = 0;
  for (const name in parameters) {
    const value = parameters[name];
    if (typeof value === 'string') length += value.length;
  }
  return length > SMALL_JSON_BYTES;
}

/** Changes an error about a file so that it names the parameter with the file's link. */
function namingLinks(tool: Tool, error: unknown): unknown {
  const { files } = tool;
  const isOfFile = files && error instanceof ToolError && error.param === partName(files);
  return isOfFile ? error.naming(linkNameOf(tool)!) : error;
}

/**
 * Returns the tool with `spendsTokens` set for this call, because the parameters may decide whether the tool calls a
 * model.
 */
export function asCalled(tool: Tool, parameters: Record<string, unknown>): Tool {
  const { spendsTokens } = tool;
  if (typeof spendsTokens !== 'function') return tool;
  return { ...tool, spendsTokens: spendsTokens(parameters as never) };
}

/**
 * Throws 501 if the tool needs a model that is not configured. If the tool needs an account, callers without
 * an account are exempt, because admission refuses them.
 */
export function requireModel(
  { model, access }: Tool,
  { accountId }: Caller,
  { models }: Pick<Ports, 'models'>,
): void {
  if (model && (access !== 'account' || accountId !== undefined)) models.require(model);
}

export const browserOnly = (tool: Tool) =>
  unsupported(`${tool.name} runs only in the browser, at /tools/${tool.name}.`);
