/**
 * Handles one HTTP request to an MCP endpoint. Checks and admits the request, and handles its messages. Errors are
 * returned with their HTTP status.
 */
import type { Admission } from '../access/admission.ts';
import { isForAgents, type McpEndpoint } from '../catalogue/mcp-endpoints.ts';
import type { CallRecord } from '../core/call-record.ts';
import { badRequest } from '../core/errors.ts';
import type { LargeCall } from '../core/large-call.ts';
import type { AppContext } from '../http.ts';
import { mediaTypeOf } from '../lib/body.ts';
import { logCause } from '../lib/log.ts';
import { listResources, readResource } from './agent/resources.ts';
import { type AdmitCall, prepareMcpCall, type RunCall } from './call-tool.ts';
import type { McpContext } from './checked-call.ts';
import { instructionsOf } from './instructions.ts';
import {
  type Message,
  RPC,
  RpcFailure,
  type RpcId,
  type RpcRequest,
  rpcError,
  toFailure,
} from './json-rpc.ts';
import { checkOrigin } from './origin.ts';
import { isSmallBody, type Posted, readPosted } from './posted.ts';
import {
  checkInitialize,
  checkVersion,
  isModern,
  knowsStructuredOutput,
  serverInfo,
  takesTasks,
} from './protocol.ts';
import { checkParams, progressTokenOf, withoutNull, withWholeHello } from './request-params.ts';
import type { Resources, Tasks } from './server.ts';
import { listAnswer, withListedTools } from './tool-lists.ts';

/** The maximum number of concurrent calls in a batch. */
const BATCH_AT_ONCE = 6;
const utf8 = new TextEncoder();

/** Runs the admissions of a batch one at a time. */
type Serially = <T>(work: () => Promise<T>) => Promise<T>;

const immediately: Serially = (work) => work();
const loadTasks = () => import('./agent/tasks.ts');
const loadServer = () => import('./server.ts');

export async function answerMcp(c: AppContext, endpoint: McpEndpoint): Promise<Response> {
  let posted: Posted | undefined;
  try {
    checkOrigin(c.req.raw, c.env.services.config);
    const read = (large?: () => LargeCall) =>
      readPosted(c.req.raw, large).catch((error: unknown) => ({ error }));
    let given = isSmallBody(c.req.raw) ? await read() : undefined;
    if (given && 'messages' in given) posted = given;
    const admission = await c.env.startAdmission('mcp');
    await admission.beforeBody(c.req.raw);
    const large = c.env.large(admission.caller);
    given ??= await read(() => large);
    // Other large calls may compute from here on, because each call of a batch waits for the CPU separately.
    large.pause();
    if ('error' in given) {
      await admission.chargeGeneral();
      admission.recordRequest();
      throw given.error;
    }
    posted = given;
    if (posted.batch) return await answerBatch(c, endpoint, admission, posted.messages);
    return await answerMessage(
      c,
      endpoint,
      admission,
      posted.messages[0]!,
      c.env.record,
      acceptsStream(c.req.raw),
    );
  } catch (thrown) {
    return presentFailure(c, toFailure(thrown), posted);
  }
}

/**
 * Handles the messages of a batch concurrently. The responses are in the order of the messages. All messages except
 * notifications are charged before the first one runs.
 */
async function answerBatch(
  c: AppContext,
  endpoint: McpEndpoint,
  admission: Admission,
  messages: readonly Message[],
): Promise<Response> {
  const requested = messages.filter((message) => message.kind !== 'notice');
  c.env.record.tool = 'batch';
  await admission.chargeGeneral(requested.length);
  const answers: unknown[] = [];
  const items = requested.entries();
  let last: Promise<unknown> = Promise.resolve();
  // Calls are admitted in the order of the batch, even if the check of a later call finishes sooner.
  const serially: Serially = (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const worker = async () => {
    for (const [index, message] of items) {
      const record = c.env.record.part('mcp', 'mcp');
      answers[index] = await answerMessage(c, endpoint, admission, message, record, false, serially)
        .then((response) => response.json())
        .catch((thrown) => messageOf(c, record, toFailure(thrown), message.id));
      record.end();
    }
  };
  await Promise.all(Array.from({ length: BATCH_AT_ONCE }, worker));
  return answers.length > 0 ? jsonAnswer(c, JSON.stringify(answers)) : accepted(c);
}

async function answerMessage(
  c: AppContext,
  endpoint: McpEndpoint,
  admission: Admission,
  message: Message,
  record: CallRecord,
  streams: boolean,
  serially?: Serially,
): Promise<Response> {
  if (message.kind !== 'request') {
    if (!serially) await admission.chargeGeneral(message.kind === 'invalid' ? 1 : 0);
    if (message.kind === 'notice') return accepted(c);
    admission.recordRequest();
    throw new RpcFailure(
      RPC.invalidRequest,
      badRequest(`This is not a JSON-RPC 2.0 request: ${message.reason}.`),
    );
  }
  const { request } = message;
  const { headers } = c.req.raw;
  const version = headers.get('MCP-Protocol-Version');
  const forAgents = isForAgents(endpoint);
  checkVersion(version, request);
  if (forAgents) checkInitialize(request, version);
  if (request.method === 'tools/call') {
    return answerCall(c, endpoint, admission, request, record, streams, serially ?? immediately);
  }
  if (!serially) await admission.chargeGeneral();
  admission.recordRequest();
  try {
    const tasks = forAgents && isModern(version, request.params);
    checkParams(request, { resources: forAgents, tasks });
  } catch (thrown) {
    return malformedAnswer(c, record, thrown, request);
  }
  const shown = withListedTools(endpoint, c.env.services.ports);
  if (request.method === 'tools/list') {
    const info = serverInfo(endpoint, c.env.services.config.serviceName);
    const listed = listAnswer(shown, request, c.req.raw, info);
    if (listed) return jsonAnswer(c, listed);
  }
  return serveRequest(c, shown, withWholeHello(request), undefined, false, admission);
}

async function answerCall(
  c: AppContext,
  endpoint: McpEndpoint,
  admission: Admission,
  request: RpcRequest,
  record: CallRecord,
  streams: boolean,
  serially: Serially,
): Promise<Response> {
  const context = mcpContextOf(c, admission, request, record);
  const serve = (run: RunCall) =>
    serveRequest(c, endpoint, withoutNull(request), run, streams, admission);
  try {
    const prepared = await prepareMcpCall(request.params ?? {}, endpoint, context);
    const admit = () => serially(prepared);
    const isStream = streams && progressTokenOf(request) !== undefined;
    return await (isStream ? answerStream(record, await admit(), serve) : answerJson(admit, serve));
  } catch (thrown) {
    return malformedAnswer(c, record, thrown, request);
  }
}

/** Answers with a stream. Its HTTP status is sent before the tool runs, so the call must be admitted first. */
async function answerStream(
  record: CallRecord,
  run: RunCall,
  serve: (run: RunCall) => Promise<Response>,
): Promise<Response> {
  record.outlivesHead = true;
  const response = await serve((progress) => run(progress).finally(() => record.end()));
  // If the response is not a stream, the SDK rejected the message without running it. The call then ends with the
  // response.
  if (mediaTypeOf(response.headers.get('Content-Type')) !== 'text/event-stream') {
    record.outlivesHead = false;
  }
  return response;
}

/** Answers with JSON. The call is admitted after the SDK has accepted the message, so a rejected one is not charged. */
async function answerJson(
  admit: AdmitCall,
  serve: (run: RunCall) => Promise<Response>,
): Promise<Response> {
  let refusal: unknown;
  const response = await serve(async (progress) => {
    const run = await admit().catch((error: unknown) => {
      refusal = error;
      throw error;
    });
    return run(progress);
  });
  // The SDK has turned this error into a response without its HTTP status, so the error is thrown here.
  if (refusal !== undefined) throw refusal;
  return response;
}

function mcpContextOf(
  c: AppContext,
  admission: Admission,
  { params }: RpcRequest,
  record = c.env.record,
): McpContext {
  const version = c.req.raw.headers.get('MCP-Protocol-Version');
  return {
    admission,
    services: c.env.services,
    requestId: c.env.requestId,
    record,
    signal: () => c.env.callerSignal(),
    spend: (tokens, tool) => c.executionCtx.waitUntil(admission.spend(tokens, tool)),
    links: knowsStructuredOutput(version),
    tasks: takesTasks(version, params),
  };
}

/**
 * Returns the response to a malformed request, which is a JSON-RPC error and not an HTTP error. Rethrows any other
 * error.
 */
function malformedAnswer(
  c: AppContext,
  record: CallRecord,
  thrown: unknown,
  { id }: RpcRequest,
): Response {
  if (!(thrown instanceof RpcFailure)) throw thrown;
  return jsonAnswer(c, JSON.stringify(messageOf(c, record, thrown, id)));
}

async function serveRequest(
  c: AppContext,
  endpoint: McpEndpoint,
  message: RpcRequest,
  run: RunCall | undefined,
  streams: boolean,
  admission: Admission,
): Promise<Response> {
  const { config } = c.env.services;
  const forAgents = isForAgents(endpoint) && mcpContextOf(c, admission, message);
  const { serve } = await loadServer();
  return serve({
    endpoint,
    serviceName: config.serviceName,
    instructions: instructionsOf(endpoint, config.baseUrl),
    requestId: c.env.requestId,
    request: c.req.raw,
    message,
    run,
    streams,
    ...(forAgents && { resources: resourcesOf(forAgents), tasks: tasksOf(forAgents) }),
  });
}

const resourcesOf = (context: McpContext): Resources => ({
  list: () => listResources(context),
  read: (uri) => readResource(uri, context),
});

const tasksOf = (context: McpContext): Tasks => ({
  declared: context.tasks,
  read: async (id) => (await loadTasks()).readTask(id, context),
  cancel: async (id) => (await loadTasks()).cancelTask(id, context),
});

const acceptsStream = (request: Request) =>
  (request.headers.get('Accept') ?? '').includes('text/event-stream');

function jsonAnswer(c: AppContext, text: string): Response {
  const body = utf8.encode(text);
  c.env.record.sent(body.byteLength);
  return new Response(body, { headers: c.env.headers({ 'Content-Type': 'application/json' }) });
}

const accepted = (c: AppContext) => new Response(null, { status: 202, headers: c.env.headers({}) });

/** Presents the failure of a whole request. Each message of a parsed batch gets this failure as its response. */
function presentFailure(c: AppContext, failure: RpcFailure, posted: Posted | undefined): Response {
  const { status, retryAfter, headers: own } = failure.error;
  const headers = c.env.headers({ 'Content-Type': 'application/json', ...own });
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  const answers = (posted?.messages ?? []).flatMap((message) =>
    message.kind === 'notice' ? [] : [messageOf(c, c.env.record, failure, message.id)],
  );
  const body =
    posted?.batch && answers.length > 0
      ? answers
      : (answers[0] ?? messageOf(c, c.env.record, failure, null));
  return new Response(JSON.stringify(body), { status, headers });
}

function messageOf(c: AppContext, record: CallRecord, { rpcCode, error }: RpcFailure, id: RpcId) {
  const { requestId } = c.env;
  record.fail(error);
  if (error.status >= 500 && error.cause) logCause(requestId, error.cause);
  const { code, param, retryAfter } = error;
  return rpcError(id, rpcCode, error.message, {
    code,
    requestId,
    ...(param !== undefined && { param }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
