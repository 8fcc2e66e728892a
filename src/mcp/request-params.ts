/** Validates the params of a request. Errors have readable messages, whereas the SDK would return raw schema errors. */
import { badRequest } from '../core/errors.ts';
import { MAX_FIELDS } from '../lib/body.ts';
import { isObject, RPC, RpcFailure, type RpcRequest } from './json-rpc.ts';

/** Each progress notification repeats the token, and unread notifications stay in memory. */
const MAX_PROGRESS_TOKEN_CHARACTERS = 1000;

/**
 * Throws -32602 with a description of the error. `knows` states which methods the endpoint supports for this client.
 * The others return -32601, whatever their params are.
 */
export function checkParams(
  { method, params = {} }: RpcRequest,
  knows: { resources: boolean; tasks: boolean },
): void {
  checkFields(params);
  if (method === 'tools/list') checkCursor(params.cursor);
  if (method === 'initialize') checkHello(params);
  if (knows.resources && method === 'resources/read') {
    checkText(params, 'uri', 'a link that a tool returned');
  }
  if (knows.tasks && method.startsWith('tasks/')) checkText(params, 'taskId', 'the ID of a task');
}

function checkText(params: Record<string, unknown>, name: string, what: string): void {
  if (typeof params[name] === 'string') return;
  const state = name in params ? 'must be a string' : 'is missing';
  throw malformed(`"params.${name}" ${state}. Send ${what}.`, name);
}

/** Removes the field `arguments` if it is null, because null means the same as an omitted field. */
export function withoutNull(request: RpcRequest): RpcRequest {
  if (request.params?.arguments !== null) return request;
  const { arguments: _, ...params } = request.params;
  return { ...request, params };
}

/** Checks the fields that all requests share. Throws -32602 with a description of the error. */
export function checkFields(params: Record<string, unknown>): void {
  checkCount('params', params);
  for (const name of ['_meta', 'arguments']) checkCount(name, params[name]);
  checkMeta(params._meta);
}

function checkCount(name: string, value: unknown): void {
  if (!isObject(value) || Object.keys(value).length <= MAX_FIELDS) return;
  const path = name === 'params' ? name : `params.${name}`;
  throw malformed(`"${path}" has more than ${MAX_FIELDS} fields. Send fewer.`, name);
}

function checkMeta(meta: unknown): void {
  if (meta === undefined) return;
  if (!isObject(meta)) throw malformed('"params._meta" must be an object.', '_meta');
  const { progressToken: token } = meta;
  if (typeof token === 'string' && token.length > MAX_PROGRESS_TOKEN_CHARACTERS) {
    throw malformed(
      `"params._meta.progressToken" is limited to ${MAX_PROGRESS_TOKEN_CHARACTERS} characters.`,
      '_meta',
    );
  }
  if (token === undefined || typeof token === 'string' || Number.isSafeInteger(token)) return;
  throw malformed('"params._meta.progressToken" must be a string or an integer.', '_meta');
}

/** Returns the client's progress token, if it requested progress. */
export const progressTokenOf = ({ params }: RpcRequest): string | number | undefined => {
  const meta = params?._meta as { progressToken?: string | number } | undefined;
  return meta?.progressToken ?? undefined;
};

export const malformed = (message: string, param: string) =>
  new RpcFailure(RPC.invalidParams, badRequest(message, param));

function checkCursor(cursor: unknown): void {
  if (cursor === undefined) return;
  throw malformed('The list has only one page: omit "cursor".', 'cursor');
}

function checkHello({ protocolVersion, capabilities, clientInfo }: Record<string, unknown>): void {
  if (typeof protocolVersion !== 'string') {
    throw malformed(
      '"params.protocolVersion" must be the client\'s protocol version, such as "2025-06-18".',
      'protocolVersion',
    );
  }
  if (!isObject(capabilities ?? {})) {
    throw malformed('"params.capabilities" must be an object; {} is enough.', 'capabilities');
  }
  const about = clientInfo ?? {};
  const named = isObject(about) ? [about.name ?? '', about.version ?? ''] : [undefined];
  if (named.every((field) => typeof field === 'string')) return;
  throw malformed(
    '"params.clientInfo" must be an object with the client\'s "name" and "version".',
    'clientInfo',
  );
}

/** Adds the optional parts of an initialize request that the SDK requires. */
export function withWholeHello(request: RpcRequest): RpcRequest {
  if (request.method !== 'initialize') return request;
  const { capabilities, clientInfo, ...params } = request.params ?? {};
  const about = (clientInfo ?? {}) as Record<string, unknown>;
  return {
    ...request,
    params: {
      ...params,
      capabilities: capabilities ?? {},
      clientInfo: { ...about, name: about.name ?? '', version: about.version ?? '' },
    },
  };
}
