/**
 * The execution pipeline: takes a tool and a call, returns an output or throws a ToolError. It does not know the
 * surface.
 */
import type { Caller } from '../core/caller.ts';
import type { CallContext, Tool, ToolSurface } from '../core/define-tool.ts';
import { ToolError, unsupported } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import type { Ports } from '../core/ports.ts';
import { withRequest } from '../core/request-id.ts';
import type { ToolOutput } from '../core/tool-output.ts';
import {
  checkFiles,
  type LinkOpener,
  linkNameOf,
  openLinks,
  partName,
  takeLinks,
} from './input-files.ts';
import { parseParameters } from './parse-parameters.ts';
import { checkResultSize } from './result-size.ts';

/** A call as the caller made it. */
export interface ToolCall {
  parameters: Record<string, unknown>;
  /** Uploaded files, in order. */
  files: readonly InputFile[];
  surface: ToolSurface;
}

/** A validated call, ready to be admitted and run. */
export interface PreparedCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  /** The values of `fileUrl`/`fileUrls`; opened when the call runs. */
  links: readonly string[];
  warnings: string[];
}

/** What a run needs besides the call. */
export interface Circumstances {
  caller: Caller;
  requestId: string;
  /** Aborts when nobody waits for the result any more. Created on demand, because most tools do not use it. */
  signal(): AbortSignal;
  /** Opens the call's links; by default only links to our storage. */
  linked?: LinkOpener;
  /** The size limit of a JSON result that is stored. */
  resultBytes?: number;
  progress?(fraction: number, message?: string): void;
  /** Charges model tokens and records them under the tool that used them. */
  spend?(tokens: number, tool: string): void;
  /** For calls that run some time after admission: throws if no model tokens are left. */
  requireTokens?(tool: string): Promise<void>;
}

export interface Executed {
  output: ToolOutput;
  warnings: string[];
}

const ignore = () => {};

/** The context of a run, besides its ports. A class, because accessors of an object literal are expensive. */
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
) => ToolOutput | Promise<ToolOutput>;

/** Validates a call before it is counted, synchronously. Throws ToolError 400, 413 or 501. */
export function prepare(tool: Tool, call: ToolCall): PreparedCall {
  if (!tool.run) throw browserOnly(tool);
  const { links, rest } = takeLinks(tool, call.parameters, call.files);
  const { parameters, warnings } = parseParameters(tool, rest, call.surface === 'mcp');
  tool.check?.(parameters as never);
  if (links.length === 0) checkFiles(tool, call.files);
  return { tool: asCalled(tool, parameters), parameters, files: call.files, links, warnings };
}

/** Runs a prepared call. Throws a ToolError for every error that the caller should see; anything else is a defect. */
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
  const { tool, parameters, links, warnings } = call;
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
  const runTool = () => (tool.run as unknown as Run)(parameters, context);
  // Ports forward the request: logs on both sides name it, and the media worker schedules by its caller.
  const request = { id: circumstances.requestId, caller: circumstances.caller };
  const made = tool.needs.length > 0 ? withRequest(request, runTool) : runTool();
  const output = made instanceof Promise ? await made : made;
  const { resultBytes } = circumstances;
  if (resultBytes !== undefined && output.kind === 'json') {
    checkResultSize(output.value, resultBytes);
  }
  return { output, warnings };
}

/** Adds the parameter that a faulty file came from. */
function namingLinks(tool: Tool, error: unknown): unknown {
  const { files } = tool;
  const isOfFile = files && error instanceof ToolError && error.param === partName(files);
  return isOfFile ? error.naming(linkNameOf(tool)!) : error;
}

/** The tool as it is charged for this call: the parameters may decide whether it calls a model. */
export function asCalled(tool: Tool, parameters: Record<string, unknown>): Tool {
  const { spendsTokens } = tool;
  if (typeof spendsTokens !== 'function') return tool;
  return { ...tool, spendsTokens: spendsTokens(parameters as never) };
}

/** Throws 501 if the tool needs a model that is not configured. Admission first refuses callers who need an account. */
export function requireModel(
  { model, access }: Tool,
  { accountId }: Caller,
  { models }: Pick<Ports, 'models'>,
): void {
  if (model && (access !== 'account' || accountId !== undefined)) models.require(model);
}

/** 501: the tool runs only in the browser. */
export const browserOnly = (tool: Tool) =>
  unsupported(
    `${tool.name} runs in the browser only, on its page /tools/${tool.name}; it has no server-side implementation.`,
  );
