/** Sends JSON-RPC requests to an MCP endpoint over plain HTTP, without a client library. */
import { baseUrl } from '../support/service.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read answers of every shape
  body: any;
}

export async function post(
  message: unknown,
  {
    domain,
    path = `/api/mcp${domain ? `/${domain}` : ''}`,
    headers,
    to = baseUrl,
  }: { domain?: string; path?: string; headers?: HeadersInit; to?: string } = {},
): Promise<Answer> {
  const response = await fetch(to + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

export const request = (method: string, params?: unknown, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

export const callOf = (name: unknown, given: unknown = {}, id: string | number = 1) =>
  request('tools/call', { name, arguments: given }, id);

/** Calls a tool and returns the result of the JSON-RPC response. */
export async function call(
  name: string,
  given: unknown = {},
  options: Parameters<typeof post>[1] = {},
) {
  const { body } = await post(callOf(name, given), options);
  return body.result;
}

export const initialize = (protocolVersion: string) =>
  request('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
