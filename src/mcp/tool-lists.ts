/** The responses to `tools/list`, built once per endpoint and protocol generation, as values and as text. */
import { isForAgents, type McpEndpoint } from '../catalogue/mcp-endpoints.ts';
import { type ListedTool, listedTool } from '../catalogue/mcp-tools.ts';
import { isObject, type RpcRequest } from './json-rpc.ts';
import { isModern, LEGACY_VERSIONS, STATELESS_VERSION, VERSION_KEY } from './protocol.ts';

export interface ToolList {
  tools: ListedTool[];
  /** How long a client may cache the list, since the stateless protocol. */
  ttlMs: number;
  cacheScope: 'public';
}

const HOUR_MS = 3_600_000;
const lists = new Map<McpEndpoint, { list: ToolList; legacy: string; modern?: string }>();

function listsOf(endpoint: McpEndpoint) {
  let found = lists.get(endpoint);
  if (!found) {
    const tools = endpoint.tools.map((tool) => listedTool(tool, { agents: isForAgents(endpoint) }));
    found = {
      list: { tools, ttlMs: HOUR_MS, cacheScope: 'public' },
      legacy: JSON.stringify({ tools }),
    };
    lists.set(endpoint, found);
  }
  return found;
}

/** The list for the SDK. */
export const toolList = (endpoint: McpEndpoint): ToolList => listsOf(endpoint).list;

/** The response's text for a plain request; null for any other, which the SDK handles and validates. */
export function listAnswer(
  endpoint: McpEndpoint,
  { id, params }: RpcRequest,
  headers: Headers,
  serverInfo: Record<string, unknown>,
): string | null {
  const found = listsOf(endpoint);
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
