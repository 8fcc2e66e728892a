/** Reads the JSON-RPC messages of a POST. */
import { badRequest, ToolError, unsupportedMediaType } from '../core/errors.ts';
import type { LargeCall } from '../core/large-call.ts';
import { MAX_JSON_BYTES } from '../core/limits.ts';
import { checkEncoding, isJsonType, mediaTypeOf, parseJson, readBody } from '../lib/body.ts';
import { type Message, RPC, RpcFailure, toMessage } from './json-rpc.ts';
import { claimsVersion } from './protocol.ts';

/**
 * The maximum number of messages in a batch. It equals an anonymous caller's limit per minute, because a larger batch
 * from such a caller could never be admitted.
 */
const MAX_IN_BATCH = 30;
const SMALL_BYTES = 16 * 1024;

export interface Posted {
  messages: Message[];
  batch: boolean;
}

/** Whether the body is read even if the caller is refused. The error can then contain the message's ID. */
export const isSmallBody = ({ headers }: Request) =>
  Number(headers.get('Content-Length') ?? Number.NaN) <= SMALL_BYTES;

/**
 * Parses the body as JSON-RPC messages. Throws RpcFailure -32700 for malformed JSON, and ToolError 400, 413 or 415 for
 * other invalid bodies.
 */
export async function readPosted(
  request: Request,
  large: (() => LargeCall) | undefined,
): Promise<Posted> {
  const type = mediaTypeOf(request.headers.get('Content-Type'));
  if (!isJsonType(type)) {
    throw unsupportedMediaType(
      `Send JSON-RPC as application/json, not as ${type || 'an unknown type'}.`,
    );
  }
  checkEncoding(request);
  const value = await readBody(
    request,
    MAX_JSON_BYTES,
    (text) => parseJson(text, 'The body', undefined),
    large,
  ).catch((error: unknown) => {
    const malformed = error instanceof ToolError && error.status === 400;
    throw malformed ? new RpcFailure(RPC.parse, error) : error;
  });
  if (!Array.isArray(value)) return { messages: [toMessage(value)], batch: false };
  if (value.length === 0) throw badRequest('A batch needs at least one message.');
  if (value.length > MAX_IN_BATCH) {
    throw badRequest(
      `A batch is limited to ${MAX_IN_BATCH} messages, but this one has ${value.length}.`,
    );
  }
  if (value.some((item) => claimsVersion(item?.params))) {
    throw badRequest(
      'Protocol versions 2026-07-28 and later do not support batches. Send each message separately.',
    );
  }
  return { messages: value.map(toMessage), batch: true };
}
