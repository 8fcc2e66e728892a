/** Reads the bodies of requests and responses within bounds, as bytes, text or JSON. Also parses their media types. */
import { badRequest, tooLarge, unsupportedMediaType } from '../core/errors.ts';
import { type LargeCall, SMALL_JSON_BYTES } from '../core/large-call.ts';
import { MAX_JSON_BYTES, MB } from '../core/limits.ts';
import { jsonExcess, MAX_JSON_DEPTH, MAX_JSON_FIELDS, MAX_JSON_VALUES } from './json-bounds.ts';
import { PackedBytes } from './packed-bytes.ts';
import { Utf8Reader } from './utf8-reader.ts';

/** Matches a media type (RFC 6838, section 4.2). A type that matches is safe to store and to send as a header. */
const ESSENCE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Returns the type and subtype in lower case, without parameters. Returns an empty string if the header is missing. */
export const mediaTypeOf = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** Whether a type without parameters is well-formed. */
export const isMediaType = (type: string): boolean => ESSENCE.test(type);

/** Whether a type without parameters is JSON or based on JSON (RFC 6839, section 3.1). */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || type.endsWith('+json');

/** Returns the whole body. Throws the error that `tooLong` returns as soon as the body exceeds `most` bytes. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  tooLong: () => Error = () => new Error(`the response is longer than ${most} bytes`),
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new PackedBytes();
  for await (const chunk of body ?? []) {
    if (bytes.size + chunk.byteLength > most) throw tooLong();
    bytes.append(chunk);
  }
  return bytes.join();
}

/** The maximum number of fields of each top-level object of a call: a JSON body, `parameters` or MCP `arguments`. */
export const MAX_FIELDS = 1000;

/** The curl option that declares a JSON body. */
export const JSON_WITH_CURL = "-H 'Content-Type: application/json'";

/** The length in bytes of a byte order mark, which decoding drops. */
const BOM_BYTES = 3;
const utf8 = new TextEncoder();

/**
 * Decodes the body with `read`. The body must be UTF-8 text of at most `most` bytes. Throws 413, or 400 if it is not
 * UTF-8.
 * @param large the call's share of the capacity for large JSON, if the body may be large
 */
export async function readBody<T>(
  request: Request,
  most: number,
  read: (text: string) => T,
  large?: () => LargeCall,
): Promise<T> {
  const length = checkLength(request, most);
  if (length !== null && (!large || length <= SMALL_JSON_BYTES)) {
    return read(checkUtf8(await request.text(), length));
  }
  const receive = () => receiveText(request, most);
  if (!large) return read(finish(await receive()));
  const share = large();
  const reader = await share.receive(length ?? most, receive);
  await share.begin();
  return read(finish(reader));
}

/** Reads the whole body. Throws 413 if the body is too large and 400 if it is not UTF-8. */
async function receiveText(request: Request, most: number): Promise<Utf8Reader> {
  const reader = new Utf8Reader();
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw bodyTooLarge(most);
    asUtf8(() => reader.append(chunk));
  }
  return reader;
}

const finish = (reader: Utf8Reader): string => asUtf8(() => reader.finish());

/** Calls `decode`. Throws 400 if that fails. */
function asUtf8<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw notUtf8();
  }
}

/** Returns the media type of a request's body, without parameters. Returns an empty string if the header is missing. */
export const bodyType = (request: Request): string =>
  mediaTypeOf(request.headers.get('Content-Type'));

/**
 * Reads a JSON object of at most 8 MiB from the request's body. Throws 415 for another media type or a compressed body,
 * 413 for a larger body or too many values, and 400 for invalid JSON.
 * @param what describes the expected body in the error
 * @param curl the curl options that send this body, for the error
 */
export async function readJson(
  request: Request,
  what: string,
  large: () => LargeCall,
  curl = JSON_WITH_CURL,
): Promise<Record<string, unknown>> {
  checkEncoding(request);
  const type = bodyType(request);
  if (!isJsonType(type)) {
    const problem = type ? `, not as ${type}` : '. The header Content-Type is missing';
    throw unsupportedMediaType(`Send ${what}${problem}. With curl: ${curl}.`);
  }
  return readBody(
    request,
    MAX_JSON_BYTES,
    (text) => parseObject(text, 'The body', undefined),
    large,
  );
}

/** Parses a JSON text. Throws 400, or 413 for too many values or fields. Both errors name `what` and `param`. */
export function parseJson(text: string, what: string, param: string | undefined): unknown {
  if (text.trim() === '') throw badRequest(`${what} is empty: send a JSON object.`, param);
  // Each level, value and field takes at least one character, so a shorter text cannot exceed a bound.
  if (text.length > MAX_JSON_DEPTH) checkBounds(text, what, param);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`${what} is not valid JSON: ${(error as SyntaxError).message}.`, param);
  }
}

function checkBounds(text: string, what: string, param: string | undefined): void {
  const excess = jsonExcess(text, MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_JSON_FIELDS);
  if (excess === 'depth') {
    throw badRequest(`${what} is nested deeper than ${MAX_JSON_DEPTH} levels. Flatten it.`, param);
  }
  if (excess === 'fields') {
    throw tooLarge(
      `${what} has an object with more than ${MAX_JSON_FIELDS.toLocaleString('en-US')} fields. Split it.`,
      param,
    );
  }
  if (excess) throw tooManyValues(what, param);
}

export const tooManyValues = (what: string, param: string | undefined) =>
  tooLarge(
    `${what} has more than ${MAX_JSON_VALUES.toLocaleString('en-US')} JSON values. Send it in parts.`,
    param,
  );

/** Parses a JSON object. Errors name `what` and `param`. */
export function parseObject(
  text: string,
  what: string,
  param: string | undefined,
): Record<string, unknown> {
  const value = parseJson(text, what, param);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`${what} must be a JSON object: {"name": value, …}.`, param);
  }
  checkFieldCount(value, what, param);
  return value as Record<string, unknown>;
}

/**
 * Throws 400 if an object has more fields than any call needs, because each field is checked and may be named in a
 * message.
 */
export function checkFieldCount(value: object, what: string, param: string | undefined): void {
  if (Object.keys(value).length <= MAX_FIELDS) return;
  throw badRequest(`${what} has more than ${MAX_FIELDS} fields. Send fewer.`, param);
}

/** Throws 415 if the body has a content coding, such as gzip. */
export function checkEncoding(request: Request): void {
  const encoding = request.headers.get('Content-Encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return;
  throw unsupportedMediaType(`Send the body without Content-Encoding: ${encoding}.`);
}

/** Returns the declared length of the body, or null. Throws 413 if the length is too large. */
export function checkLength(request: Request, most: number): number | null {
  const length = request.headers.get('Content-Length');
  if (length !== null && Number(length) > most) throw bodyTooLarge(most);
  return length === null ? null : Number(length);
}

/** Returns the error for a body that exceeds its limit. */
export const bodyTooLarge = (most: number) =>
  tooLarge(
    `The request body is larger than the ${most < MB ? `${most / 1024} KB` : `${most / MB} MB`} limit of this endpoint.`,
  );

/**
 * Checks a decoded text. The platform's decoder is much faster than a strict one, but replaces invalid bytes with
 * U+FFFD. The text is then longer than the body, unless the only errors are four-byte characters without their last
 * byte.
 */
function checkUtf8(text: string, length: number): string {
  if (!text.includes('\ufffd')) return text;
  const size = utf8.encode(text).byteLength;
  if (size !== length && size + BOM_BYTES !== length) throw notUtf8();
  return text;
}

const notUtf8 = () => badRequest('The body is not valid UTF-8. Encode it as UTF-8.');
