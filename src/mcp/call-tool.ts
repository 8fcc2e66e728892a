/** Handles `tools/call`: checks, admits and runs the call. A call that fails the check is not charged. */
import { AGENT_TOOLS } from '../catalogue/agent-tools.ts';
import { AGENT_ENDPOINT, isForAgents, type McpEndpoint } from '../catalogue/mcp-endpoints.ts';
import type { CallRecord } from '../core/call-record.ts';
import { linkNameOf, partName, type Tool } from '../core/define-tool.ts';
import { badRequest, ToolError, toToolError } from '../core/errors.ts';
import type { Ports } from '../core/ports.ts';
import { didYouMean, similarNames } from '../core/similar-names.ts';
import { openCall, type PreparedCall, prepare, requireModel } from '../execute/execute.ts';
import type { StoredLinks } from '../execute/input-files.ts';
import { logCause } from '../lib/log.ts';
import type { Services } from '../services.ts';
import { type CheckedCall, type McpContext, type Progress, runTool } from './checked-call.ts';
import { isObject, RPC, RpcFailure } from './json-rpc.ts';
import { presentResult, type ToolResult } from './present-result.ts';
import { checkFields, malformed } from './request-params.ts';
import { withListedTools } from './tool-lists.ts';

/** Runs a call and returns its result, which may be an error. Throws RpcFailure for a failure of the service. */
export type RunCall = (progress?: Progress) => Promise<ToolResult>;

/** Charges a call and returns the function that runs it. Throws ToolError 429. Other errors become the result. */
export type AdmitCall = () => Promise<RunCall>;

/**
 * Checks a call without running it. Throws RpcFailure if the call is malformed, and ToolError 429. Other errors become
 * the result of the call.
 */
export async function prepareMcpCall(
  params: Record<string, unknown>,
  endpoint: McpEndpoint,
  context: McpContext,
): Promise<AdmitCall> {
  const { admission, record, services } = context;
  const check = async () => {
    const tool = toolOf(endpoint, params.name, services.ports);
    record.tool = tool.name;
    checkFields(params);
    const given = argumentsOf(params.arguments);
    if (!isForAgents(endpoint)) return checkCall(tool, given, context);
    const { checkAgentCall } = await loadAgentCalls();
    return checkAgentCall(tool, given, context);
  };
  const fails =
    (error: unknown): RunCall =>
    async () =>
      errorResult(error, record);
  const checked = await admission.run(check).catch(asResult);
  if ('error' in checked) return async () => fails(checked.error);
  return async () => {
    const { tools, cost, limits, run } = checked;
    const refused = await admission
      .run(() => admission.admit(tools, admission.unitsWith(cost), limits))
      .then(() => undefined, asResult);
    if (refused) return fails(refused.error);
    return async (progress) => {
      try {
        const result = await run(progress);
        record.sent(bytesOf(result));
        return result;
      } catch (thrown) {
        return errorResult(await services.disk.explain(thrown), record);
      }
    };
  };
}

/** The module is imported on demand, because only one endpoint uses it. */
const loadAgentCalls = () => import('./agent/agent-calls.ts');

/** Returns the error, so that it becomes the result of its call. Rethrows ToolError 429 and RpcFailure. */
function asResult(error: unknown): { error: unknown } {
  const isAnswer = error instanceof ToolError && error.status === 429;
  if (isAnswer || error instanceof RpcFailure) throw error;
  return { error };
}

const utf8 = new TextEncoder();

/** Returns the size, in bytes, of the content that a client passes to its model. */
const bytesOf = ({ content }: ToolResult): number =>
  content.reduce((sum, item) => {
    if (item.type === 'image') return sum + item.data.length;
    return sum + utf8.encode(item.type === 'text' ? item.text : item.uri).byteLength;
  }, 0);

/** Returns the endpoint's tool with this name. Throws -32602 with the listed names if the name is unknown. */
function toolOf(endpoint: McpEndpoint, name: unknown, ports: Ports): Tool {
  const { tools, path, domain } = endpoint;
  if (typeof name !== 'string' || name === '') {
    const fault = name === undefined ? 'is missing' : 'must be a string';
    throw malformed(`"params.name" ${fault}. Send the name of a tool from tools/list.`, 'name');
  }
  const tool = tools.find((offered) => offered.name === name);
  if (tool) return tool;
  const elsewhere = elsewhereOf(name, path);
  if (elsewhere !== undefined) throw malformed(elsewhere, 'name');
  const shown = name.slice(0, 60).toWellFormed();
  const all = domain ? ' All tools are at /api/mcp.' : '';
  const listed = withListedTools(endpoint, ports).tools;
  const names = listed.map((offered) => offered.name);
  const question = didYouMean(similarNames(shown, names));
  throw malformed(
    `There is no tool "${shown}" at ${path}.${question} The tools there are ${names.join(', ')}.${all}`,
    'name',
  );
}

/** The tools that this endpoint does not have, each with the surfaces that offer a similar tool. */
const ELSEWHERE: ReadonlyMap<string, { rest: string; agents: string; does: string }> = new Map([
  [
    'compress_video',
    {
      rest: 'videos of at most 5 MB',
      agents: 'transcode_video',
      does: 'takes links to videos of up to 50 MB',
    },
  ],
  [
    'upload_file',
    {
      rest: 'files of at most 50 MB',
      agents: 'create_upload',
      does: 'returns a URL for a PUT request',
    },
  ],
]);

function elsewhereOf(name: string, path: string): string | undefined {
  const known = ELSEWHERE.get(name);
  if (known) {
    const { rest, agents, does } = known;
    const where = path === AGENT_ENDPOINT.path ? 'here' : `at ${AGENT_ENDPOINT.path}`;
    return `${name} is not an MCP tool: use ${agents} ${where}, which ${does}. Over REST, POST /api/v1/tools/execute takes ${rest}.`;
  }
  const isAgents = AGENT_TOOLS.some((tool) => tool.name === name);
  return isAgents
    ? `${name} is available only at ${AGENT_ENDPOINT.path}. Connect to that endpoint.`
    : undefined;
}

function argumentsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  const advice = typeof value === 'string' ? ' Send the JSON itself, not a string of it.' : '';
  throw malformed(
    `"params.arguments" must be an object with the tool's arguments, not ${kind}.${advice}`,
    'arguments',
  );
}

/** Opens a call. Throws ToolError if the call must be refused before it is counted. */
async function checkCall(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<CheckedCall> {
  const { admission, services, links } = context;
  const { baseUrl } = services.config;
  const link = linkNameOf(tool);
  const isLinked = link !== null && (given[link] ?? null) !== null;
  let prepared: PreparedCall;
  try {
    prepared = prepare(tool, { parameters: given, files: [], surface: 'mcp' });
  } catch (thrown) {
    if (!link || !(thrown instanceof ToolError)) throw thrown;
    if (isLinked) throw explainLink(link, thrown, baseUrl);
    throw badRequest(`${wholeMessage(thrown)}\n${linkMissing(link, baseUrl)}`, thrown.param);
  }
  requireModel(tool, admission.caller, services.ports);
  if (link && !isLinked) throw badRequest(linkMissing(link, baseUrl), partName(tool.files!));
  if (isLinked) await admission.refuseIfToolExhausted(tool);
  const opened = await openCall(prepared, services.ports, storedLinks(services));
  return {
    tools: [opened.tool],
    cost: 1,
    run: (progress) =>
      runTool(opened, context, progress, (executed) => {
        const store = { storage: services.storage, caller: admission.caller };
        return presentResult(opened.tool, executed, store, links);
      }),
  };
}

/**
 * Treats all links as links to our storage, because this endpoint fetches no others. If a link is wrong, the error
 * explains how to get a valid one.
 */
const storedLinks = ({ storage, config }: Services): StoredLinks => ({
  isOurs: () => true,
  open: (link, param) =>
    storage.open(link, param).catch((thrown) => {
      throw explainLink(param, thrown, config.baseUrl);
    }),
});

const linkMissing = (link: string, baseUrl: string) =>
  `The parameter "${link}" is missing. ${howToUpload(link, baseUrl)}`;

/** Adds instructions for getting a valid link to an error about a link, because files cannot be uploaded over MCP. */
function explainLink(link: string, thrown: unknown, baseUrl: string): unknown {
  if (!(thrown instanceof ToolError) || thrown.param !== link) return thrown;
  return badRequest(`${thrown.message} ${howToUpload(link, baseUrl)}`, link);
}

const howToUpload = (link: string, baseUrl: string) =>
  `It takes ${link === 'fileUrl' ? 'the URL of a file' : 'URLs of files'} in this service's storage. ` +
  `In a shell, curl -F tool=upload_file -F file=@NAME ${baseUrl}/api/v1/tools/execute ` +
  'uploads a file and returns its "url". ' +
  `Or POST {"filename":"NAME","contentType":"TYPE"} as JSON to ${baseUrl}/api/v1/uploads and PUT the bytes once to the returned "uploadUrl". ` +
  'A URL that another tool returned also works.';

/** Presents an error to the model, which should read it and react to it. Throws -32603 for a failure of the service. */
function errorResult(thrown: unknown, record: CallRecord): ToolResult {
  const error = toToolError(thrown);
  record.fail(error);
  // The code that presents an RpcFailure logs its cause.
  if (error.status === 500) throw new RpcFailure(RPC.internal, error);
  if (error.status > 500 && error.cause) logCause(record.requestId, error.cause);
  return { content: [{ type: 'text', text: withWait(wholeMessage(error), error) }], isError: true };
}

/** Adds the number of seconds to wait to the message, because MCP has no Retry-After header. */
function withWait(message: string, { retryAfter }: ToolError): string {
  if (!retryAfter || /try again in \d/i.test(message)) return message;
  const bare = message.replace(/ Try again(?: later| in a \w+)?\.$/, '');
  return `${bare} Try again in ${retryAfter} seconds.`;
}

/** Joins the messages of all findings. Each message names its argument. */
function wholeMessage({ message, details }: ToolError): string {
  if (!Array.isArray(details)) return message;
  return details.map((finding: { message: string }) => finding.message).join('\n');
}
