/**
 * Runs the protocol with the MCP SDK. Stateless versions use the handler of the `agents` package, and older versions
 * use the SDK's transport (ADR 20). This module is imported on the first request, because it would delay every start by
 * about 30 ms.
 */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpHandler } from 'agents/mcp/server';
import * as z from 'zod';
import type { McpEndpoint } from '../catalogue/mcp-endpoints.ts';
import { bodyType } from '../lib/body.ts';
import { logCause } from '../lib/log.ts';
import type { Resource, ResourceContents } from './agent/resources.ts';
import type { RunCall } from './call-tool.ts';
import { RPC, RpcFailure, type RpcRequest, toFailure } from './json-rpc.ts';
import {
  isModern,
  LEGACY_VERSIONS,
  STATELESS_VERSION,
  serverInfo,
  TASKS_EXTENSION,
} from './protocol.ts';
import { progressTokenOf } from './request-params.ts';
import { toolList } from './tool-lists.ts';

export interface Served {
  endpoint: McpEndpoint;
  serviceName: string;
  instructions: string;
  requestId: string;
  /** The HTTP request of the message. Its body has already been read. */
  request: Request;
  message: RpcRequest;
  /** Runs the call if the message is `tools/call`. */
  run: RunCall | undefined;
  /** Whether the client accepts a stream as the response. */
  streams: boolean;
  /** The caller's resources. Set only at the endpoint for agents. */
  resources?: Resources | undefined;
  /** The caller's tasks. Set only at the endpoint for agents. */
  tasks?: Tasks | undefined;
}

export interface Tasks {
  /** Whether the client declared the extension for tasks. */
  declared: boolean;
  /** Returns the task, or null if the caller has no such task. */
  read(id: string): Promise<Record<string, unknown> | null>;
  cancel(id: string): Promise<Record<string, never> | null>;
}

export interface Resources {
  list(): Promise<Resource[]>;
  read(uri: unknown): Promise<ResourceContents | string | null>;
}

export function serve(served: Served): Promise<Response> {
  const { request, message } = served;
  const modern = isModern(request.headers.get('MCP-Protocol-Version'), message.params);
  return modern ? serveModern(served) : serveLegacy(served);
}

function serveModern(served: Served): Promise<Response> {
  const { pathname } = new URL(served.request.url);
  const handler = createMcpHandler(() => serverFor(served, true), {
    route: pathname,
    corsOptions: false,
    allowedOriginHostnames: '*',
    legacy: 'reject',
  });
  return handler.fetch(acceptable(served), { parsedBody: served.message });
}

/**
 * Handles a request in a version with `initialize`, but without a session. The response is JSON unless the client waits
 * for progress.
 */
async function serveLegacy(served: Served): Promise<Response> {
  const server = serverFor(served, false);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !reportsProgress(served),
  });
  await server.connect(transport);
  const response = await transport.handleRequest(acceptable(served), {
    parsedBody: served.message,
  });
  // A stream closes its transport after the last message. After any other response, the transport is closed here.
  if (!reportsProgress(served)) await server.close();
  return response;
}

const JSON_TYPE = 'application/json';
/** The media types that the SDK requires in the `Accept` header. */
const ACCEPTED = [JSON_TYPE, 'text/event-stream'];

/** Returns the request with the headers that the SDK requires, because some clients do not send them. */
function acceptable({ request }: Served): Request {
  const accept = request.headers.get('Accept') ?? '';
  const isAcceptable = ACCEPTED.every((type) => accept.includes(type));
  if (isAcceptable && bodyType(request) === JSON_TYPE) return request;
  const headers = new Headers(request.headers);
  headers.set('Accept', ACCEPTED.join(', '));
  headers.set('Content-Type', JSON_TYPE);
  headers.delete('Content-Length');
  return new Request(request.url, { method: 'POST', headers, signal: request.signal });
}

const reportsProgress = ({ streams, run, message }: Served) =>
  streams && run !== undefined && progressTokenOf(message) !== undefined;

/**
 * Creates a server for one request to the endpoint. Of `tools/call` and `tools/list`, it handles only the one that the
 * message may need.
 */
function serverFor(served: Served, modern: boolean): Server {
  const { endpoint, serviceName, instructions, run, resources } = served;
  const tasks = modern ? served.tasks : undefined;
  const server = new Server(serverInfo(endpoint, serviceName), {
    capabilities: {
      tools: { listChanged: false },
      ...(resources && { resources: {} }),
      ...(tasks && { extensions: { [TASKS_EXTENSION]: {} } }),
    },
    supportedProtocolVersions: modern ? [STATELESS_VERSION] : LEGACY_VERSIONS,
    instructions,
  });
  if (run) serveCall(server, served, run);
  else server.setRequestHandler('tools/list', () => toolList(endpoint, served.request) as never);
  if (resources) serveResources(server, resources, served.requestId);
  if (tasks) serveTasks(server, tasks, served.requestId);
  return server;
}

/**
 * Returns the result of `work`. The SDK sends the message of any error, so the message of an unexpected error is
 * replaced.
 */
async function presenting<Result>(requestId: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    const { rpcCode, error } = toFailure(thrown);
    if (error.status >= 500 && error.cause) logCause(requestId, error.cause);
    throw new ProtocolError(rpcCode, error.message, { requestId });
  }
}

function serveCall(server: Server, served: Served, run: RunCall): void {
  const { requestId } = served;
  server.setRequestHandler('tools/call', async (_, { mcpReq }) => {
    const token = progressTokenOf(served.message);
    const listens = reportsProgress(served) && token !== undefined;
    let reached = -1;
    const progress = (fraction: number, message?: string) => {
      if (fraction <= reached) return;
      reached = fraction;
      const params = {
        progressToken: token!,
        progress: fraction,
        total: 1,
        ...(message && { message }),
      };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    };
    if (listens) progress(0);
    try {
      return (await run(listens ? progress : undefined)) as never;
    } catch (thrown) {
      if (!(thrown instanceof RpcFailure)) throw thrown;
      if (thrown.cause) logCause(requestId, thrown.cause);
      throw new ProtocolError(thrown.rpcCode, thrown.message, { requestId });
    }
  });
}

function serveTasks(server: Server, tasks: Tasks, requestId: string): void {
  const ofTask = { params: z.looseObject({ taskId: z.string() }) };
  const required = async <Result>(work: Promise<Result | null>): Promise<Result> => {
    const result = await presenting(requestId, work);
    if (result !== null) return result;
    throw new ProtocolError(RPC.invalidParams, 'There is no such task, or it has expired.');
  };
  const declared = () => {
    if (tasks.declared) return;
    const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
  };
  server.setRequestHandler('tasks/get', ofTask, ({ taskId }) => {
    declared();
    return required(tasks.read(taskId));
  });
  // Clients send updates to answer requests for input. Tasks never request input, so an update has no effect.
  server.setRequestHandler('tasks/update', ofTask, async ({ taskId }) => {
    declared();
    await required(tasks.read(taskId));
    return {};
  });
  server.setRequestHandler('tasks/cancel', ofTask, async ({ taskId }) => {
    declared();
    return required(tasks.cancel(taskId));
  });
}

function serveResources(server: Server, resources: Resources, requestId: string): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: await presenting(requestId, resources.list()),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const contents = await presenting(requestId, resources.read(uri));
    if (contents !== null && typeof contents !== 'string') return { contents: [contents] };
    const message = contents ?? 'There is no such file. Use a link that a tool returned.';
    throw new ProtocolError(RPC.invalidParams, message, { uri });
  });
}
