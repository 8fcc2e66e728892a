/** An execute request, in JSON or multipart/form-data, as the value that the corridor takes. */
import type { Tool } from '../core/define-tool.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MAX_BODY_BYTES, MAX_JSON_BYTES, MB } from '../core/limits.ts';
import type { SpoolPort } from '../core/ports.ts';
import { toolNamed } from '../execute/tool-named.ts';
import { joinBytes } from '../lib/join-bytes.ts';
import { nestsDeeperThan } from '../lib/json-depth.ts';
import { readMultipart } from './multipart.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** Removes what the request left in storage and nobody kept; absent where it can have left nothing. */
  release?(): Promise<void>;
}

export const MULTIPART = 'multipart/form-data';

const MAX_DEPTH = 1000;
/** A byte order mark at the start is read away. */
const BOM_BYTES = 3;
const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Reads the body, whose length is judged before its bytes. `type` is the request's media type. */
export async function readCall(
  request: Request,
  type: string,
  spooling: SpoolPort,
): Promise<RestCall> {
  if (type === MULTIPART) {
    checkEncoding(request);
    checkLength(request, MAX_BODY_BYTES);
    return readMultipart(request, spooling);
  }
  const { tool, parameters, ...others } = await readJson(
    request,
    type,
    'the call as application/json, or as multipart/form-data where files are attached',
  );
  const misplaced = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  return {
    tool: toolNamed(tool),
    parameters: asParameters(parameters),
    files: [],
    warnings: misplaced
      ? [`"${misplaced}" beside "tool" was ignored: parameters go into the object "parameters".`]
      : [],
  };
}

/** A JSON object as the request's body. Throws 415 where its `type` is another one; `what` should be sent instead. */
export async function readJson(
  request: Request,
  type: string,
  what: string,
): Promise<Record<string, unknown>> {
  checkEncoding(request);
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw unsupportedMediaType(
      `Send ${what}, not as ${type || 'a body without Content-Type'}. ` +
        "With curl: -H 'Content-Type: application/json'.",
    );
  }
  return readJsonBody(request);
}

function checkEncoding(request: Request): void {
  const encoding = request.headers.get('Content-Encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return;
  throw unsupportedMediaType(`Send the body as it is, not with Content-Encoding: ${encoding}.`);
}

/** A JSON object as the request's body, at most 8 MiB. */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const length = checkLength(request, MAX_JSON_BYTES);
  const text =
    length === null
      ? decode(await readAtMost(request, MAX_JSON_BYTES))
      : await readText(request, length);
  return parseObject(text, 'The body', undefined);
}

/** The text as a JSON object; an error names `what` and `param`. */
export function parseObject(
  text: string,
  what: string,
  param: string | undefined,
): Record<string, unknown> {
  if (text.trim() === '') throw badRequest(`${what} is empty; a JSON object is needed.`, param);
  if (text.length > MAX_DEPTH && nestsDeeperThan(text, MAX_DEPTH)) {
    throw badRequest(`${what} nests deeper than ${MAX_DEPTH} levels.`, param);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badRequest(`${what} is not valid JSON: ${(error as SyntaxError).message}.`, param);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`${what} must be a JSON object: {"name": value, …}.`, param);
  }
  return value as Record<string, unknown>;
}

/** `parameters` of a call: an object, or nothing. */
export function asParameters(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest('"parameters" must be an object with the tool\'s parameters.', 'parameters');
  }
  return value as Record<string, unknown>;
}

/** The media type of a request's body, lower case, without parameters; empty where there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** The stated length of the body, or null. Throws 413 where it is too large. */
function checkLength(request: Request, most: number): number | null {
  const length = request.headers.get('Content-Length');
  if (length !== null && Number(length) > most) throw bodyTooLarge(most);
  return length === null ? null : Number(length);
}

/** The error for a body beyond its bound. */
export const bodyTooLarge = (most: number) =>
  tooLarge(`The request body is larger than the ${most / MB} MB that are taken here.`);

async function readAtMost(request: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw bodyTooLarge(most);
    chunks.push(chunk);
  }
  return joinBytes(chunks, size);
}

/**
 * The platform's own reading is much faster than a strict decoder, but puts U+FFFD where bytes are no UTF-8. That
 * makes the text longer than the body, unless all that is broken are characters of four bytes without their last.
 */
async function readText(request: Request, length: number): Promise<string> {
  const text = await request.text();
  if (!text.includes('\ufffd')) return text;
  const size = utf8.encode(text).byteLength;
  if (size !== length && size + BOM_BYTES !== length) throw notUtf8();
  return text;
}

function decode(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = () =>
  badRequest('The body is not valid UTF-8; JSON is sent in UTF-8 (RFC 8259 §8.1).');
