/** Describes the differences between protocol versions that affect this server. */
import {
  MCP_SERVER_VERSION,
  type McpEndpoint,
  PROTOCOL_VERSIONS,
} from '../catalogue/mcp-endpoints.ts';
import { badRequest, notFound } from '../core/errors.ts';
import { isObject, RPC, RpcFailure, type RpcRequest } from './json-rpc.ts';

/** The first version without sessions, `initialize` and batches. */
export const STATELESS_VERSION = '2026-07-28';

/** Versions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS: string[] = PROTOCOL_VERSIONS.filter(
  (version) => version < STATELESS_VERSION,
).toReversed();

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Whether a message declares a stateless version, in its header or its body. */
export function isModern(
  header: string | null,
  params: Record<string, unknown> | undefined,
): boolean {
  return (header !== null && header >= STATELESS_VERSION) || claimsVersion(params);
}

/** Throws -32602 (HTTP 400) if the header names a future version, because the message cannot be validated then. */
export function checkVersion(header: string | null, params: unknown): void {
  if (header === null || header <= STATELESS_VERSION || claimsVersion(params)) return;
  throw new RpcFailure(
    RPC.invalidParams,
    badRequest(
      `The MCP-Protocol-Version "${header.slice(0, 40)}" is not supported. Supported: ${PROTOCOL_VERSIONS.join(', ')}.`,
      'MCP-Protocol-Version',
    ),
  );
}

/** Throws -32601 (HTTP 404) for `initialize` in a version that has removed it. */
export function checkInitialize({ method, params }: RpcRequest, header: string | null): void {
  if (method !== 'initialize' || !isModern(header, params)) return;
  throw new RpcFailure(
    RPC.unknownMethod,
    notFound(
      `Protocol version ${STATELESS_VERSION} does not support initialize. Start with server/discover.`,
    ),
  );
}

export const claimsVersion = (params: unknown): boolean =>
  isObject(params) && isObject(params._meta) && VERSION_KEY in params._meta;

/** Whether the version has `outputSchema` and `resource_link`. 2025-06-18 introduced them together with the header. */
export const knowsStructuredOutput = (header: string | null): boolean =>
  header !== null && header >= '2025-06-18';

/** The extension of tasks (SEP-2663), which a client declares with each request. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export function takesTasks(header: string | null, params: Record<string, unknown> = {}): boolean {
  if (!isModern(header, params) || !isObject(params._meta)) return false;
  const capabilities = params._meta['io.modelcontextprotocol/clientCapabilities'];
  const extensions = isObject(capabilities) && capabilities.extensions;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** Returns the server's identity in `initialize` and `server/discover`. */
export const serverInfo = ({ name, title }: McpEndpoint, serviceName: string) => ({
  name: `${serviceName.toLowerCase().replace(/[^a-z0-9]+/g, '-')}${name === 'all' ? '' : `-${name}`}`,
  title: name === 'all' ? serviceName : `${serviceName}: ${title}`,
  version: MCP_SERVER_VERSION,
});
