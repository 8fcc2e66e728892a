/** Implements JSON-RPC 2.0: classifies messages and builds error responses (decisions.md, MCP). */
import { type ToolError, toToolError } from '../core/errors.ts';

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  limited: -32000,
  badKey: -32001,
} as const;

/** The maximum number of fields in a message. JSON-RPC defines six fields, and clients may add some. */
const MAX_FIELDS = 100;

export type RpcId = string | number | null;

export interface RpcRequest {
  jsonrpc: '2.0';
  id: string | number;
  method: string;
  params?: Record<string, unknown>;
}

/** The kinds of posted messages. A `notice` is a notification, or the response to a request that was never sent. */
export type Message =
  | { kind: 'request'; id: RpcId; request: RpcRequest }
  | { kind: 'notice'; value: Record<string, unknown> }
  | { kind: 'invalid'; id: RpcId; reason: string };

/** Determines the kind of a parsed message. */
export function toMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, 'a message must be a JSON object');
  const id = typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
  if (Object.keys(value).length > MAX_FIELDS) {
    return invalid(id, `a message may have at most ${MAX_FIELDS} fields`);
  }
  if (value.jsonrpc !== '2.0') return invalid(id, '"jsonrpc" must be "2.0"');
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return { kind: 'notice', value };
  }
  if (typeof value.method !== 'string') return invalid(id, '"method" must be a string');
  const { params, ...others } = value;
  if ((params ?? null) !== null && !isObject(params)) {
    return invalid(id, '"params" must be an object');
  }
  if (!('id' in value)) return { kind: 'notice', value };
  if (id === null || (typeof id === 'number' && !Number.isSafeInteger(id))) {
    return invalid(null, '"id" must be a string or an integer');
  }
  // Null has the same meaning as an omitted field.
  const request = (params === null ? others : value) as unknown as RpcRequest;
  return { kind: 'request', id, request };
}

const invalid = (id: RpcId, reason: string): Message => ({ kind: 'invalid', id, reason });

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const rpcError = (
  id: RpcId,
  code: number,
  message: string,
  data?: Record<string, unknown>,
) => ({ jsonrpc: '2.0', id, error: data ? { code, message, data } : { code, message } });

/** A JSON-RPC error code and the error, which has the HTTP status and headers. */
export class RpcFailure extends Error {
  readonly rpcCode: number;
  readonly error: ToolError;

  constructor(rpcCode: number, error: ToolError) {
    super(error.message, { cause: error.cause });
    this.rpcCode = rpcCode;
    this.error = error;
  }
}

/** Converts any thrown value to a failure of the whole message. */
export function toFailure(thrown: unknown): RpcFailure {
  if (thrown instanceof RpcFailure) return thrown;
  const error = toToolError(thrown);
  return new RpcFailure(codeOf(error), error);
}

function codeOf({ status }: ToolError): number {
  if (status === 401) return RPC.badKey;
  if (status === 429) return RPC.limited;
  return status >= 500 ? RPC.internal : RPC.invalidRequest;
}
