/** Handles the differences between protocol versions that affect this server. */
import {
  MCP_SERVER_VERSION,
  type McpEndpoint,
  PROTOCOL_VERSIONS,
} from '../catalogue/mcp-endpoints.ts';
import { badRequest, notFound } from '../core/errors.ts';
import { isObject, RPC, RpcFailure, type RpcRequest } from './json-rpc.ts';

/** The first protocol version that has no sessions, `initialize` or batches. */
export const STATELESS_VERSION = '2026-07-28';

/** The protocol versions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS: string[] = PROTOCOL_VERSIONS.filter(
  (version) => version < STATELESS_VERSION,
).toReversed();

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Whether the header or the body of a message declares a stateless version. */
export function isModern(
  header: string | null,
  params: Record<string, unknown> | undefined,
): boolean {
  return (header !== null && header >= STATELESS_VERSION) || claimsVersion(params);
}

const KNOWN: readonly string[] = PROTOCOL_VERSIONS;

/**
 * Throws -32602 (HTTP 400) if the header names an unknown version and the body names none. `initialize` negotiates the
 * version, so an older unknown version is accepted there.
 */
export function checkVersion(header: string | null, { method, params }: RpcRequest): void {
  if (header === null || KNOWN.includes(header) || claimsVersion(params)) return;
  if (method === 'initialize' && header < STATELESS_VERSION) return;
  throw new RpcFailure(
    RPC.invalidParams,
    badRequest(
      `The MCP-Protocol-Version "${header.slice(0, 40)}" is not supported. Supported: ${PROTOCOL_VERSIONS.join(', ')}.`,
      'MCP-Protocol-Version',
    ),
  );
}

/** Throws -32601 (HTTP 404) for `initialize` in a version without it. */
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

/**
 * Whether the version has `outputSchema` and `resource_link`. Version 2025-06-18 introduced both of them and the
 * version header.
 */
export const knowsStructuredOutput = (header: string | null): boolean =>
  header !== null && header >= '2025-06-18';

/** The name of the extension for tasks (SEP-2663). A client declares it with each request. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export function takesTasks(header: string | null, params: Record<string, unknown> = {}): boolean {
  if (!isModern(header, params) || !isObject(params._meta)) return false;
  const capabilities = params._meta['io.modelcontextprotocol/clientCapabilities'];
  const extensions = isObject(capabilities) && capabilities.extensions;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** Returns the identity of the server for `initialize` and `server/discover`. */
export const serverInfo = ({ name, title }: McpEndpoint, serviceName: string) => ({
  name: `${serviceName.toLowerCase().replace(/[^a-z0-9]+/g, '-')}${name === 'all' ? '' : `-${name}`}`,
  title: name === 'all' ? serviceName : `${serviceName}: ${title}`,
  version: MCP_SERVER_VERSION,
});
