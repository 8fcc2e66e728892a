/**
 * Builds the responses to `tools/list`. Each response is built once per endpoint and kind of list, both as a value and
 * as text.
 */
import { isForAgents, type McpEndpoint } from '../catalogue/mcp-endpoints.ts';
import type { ListedOutputs } from '../catalogue/mcp-outputs.ts';
import { type ListedTool, listedTool } from '../catalogue/mcp-tools.ts';
import type { Ports } from '../core/ports.ts';
import { missingFor } from '../execute/missing-component.ts';
import { isObject, type RpcRequest } from './json-rpc.ts';
import {
  isModern,
  knowsStructuredOutput,
  LEGACY_VERSIONS,
  STATELESS_VERSION,
  VERSION_KEY,
} from './protocol.ts';

export interface ToolList {
  tools: ListedTool[];
  /** The time for which a client may cache the list, in milliseconds. The stateless protocol introduced this field. */
  ttlMs: number;
  cacheScope: 'public';
}

const HOUR_MS = 3_600_000;
const lists = new Map<string, { list: ToolList; legacy: string; modern?: string }>();

function listsOf(endpoint: McpEndpoint, request: Request) {
  const outputs = outputsOf(endpoint, request);
  const names = endpoint.tools.map((tool) => tool.name);
  const name = `${endpoint.name} ${outputs} ${names.join()}`;
  let found = lists.get(name);
  if (!found) {
    const agents = isForAgents(endpoint);
    const tools = endpoint.tools.map((tool) => listedTool(tool, { agents, outputs }));
    found = {
      list: { tools, ttlMs: HOUR_MS, cacheScope: 'public' },
      legacy: JSON.stringify({ tools }),
    };
    lists.set(name, found);
  }
  return found;
}

/**
 * Determines which output schemas the list contains. Clients that generate code from the list connect with
 * `?outputSchemas=all`.
 */
function outputsOf(endpoint: McpEndpoint, { url, headers }: Request): ListedOutputs {
  const isStructured = knowsStructuredOutput(headers.get('MCP-Protocol-Version'));
  if (!isForAgents(endpoint) || !isStructured) return 'none';
  return new URL(url).searchParams.get('outputSchemas') === 'all' ? 'all' : 'short';
}

/**
 * Returns the endpoint with the tools that it lists. The endpoint for agents omits the tools that need a component that
 * the service lacks. The contract fixes the lists of all other endpoints.
 */
export function withListedTools(
  endpoint: McpEndpoint,
  ports: Pick<Ports, 'models' | 'browser'>,
): McpEndpoint {
  if (!isForAgents(endpoint)) return endpoint;
  return { ...endpoint, tools: endpoint.tools.filter((tool) => !missingFor(tool, ports)) };
}

/** Returns the list as a value, which the SDK needs. */
export const toolList = (endpoint: McpEndpoint, request: Request): ToolList =>
  listsOf(endpoint, request).list;

/**
 * Returns the prebuilt response to a plain request. Returns null for any other request. The SDK then validates and
 * handles the request.
 */
export function listAnswer(
  endpoint: McpEndpoint,
  { id, params }: RpcRequest,
  request: Request,
  serverInfo: Record<string, unknown>,
): string | null {
  const found = listsOf(endpoint, request);
  const { headers } = request;
  const begin = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const version = headers.get('MCP-Protocol-Version');
  if (!isModern(version, params)) {
    if (version !== null && !LEGACY_VERSIONS.includes(version)) return null;
    return `${begin}${found.legacy}}`;
  }
  const meta = params?._meta;
  const plain =
    version === STATELESS_VERSION &&
    headers.get('Mcp-Method') === 'tools/list' &&
    isObject(meta) &&
    meta[VERSION_KEY] === version &&
    isObject(meta['io.modelcontextprotocol/clientCapabilities']) &&
    Object.keys(meta).length <= 3;
  if (!plain) return null;
  found.modern ??= JSON.stringify({
    ...found.list,
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  });
  return `${begin}${found.modern}}`;
}
