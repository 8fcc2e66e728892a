/** Converts the outputs and errors of calls to HTTP responses. */
import { type ErrorCode, type ToolError, toToolError } from '../core/errors.ts';
import type { ToolOutput } from '../core/tool-output.ts';
import type { Exchange } from '../exchange.ts';
import { contentDisposition } from '../lib/filename.ts';
import { acceptsProblem } from './accept.ts';
import { writeJson } from './write-json.ts';

const MAX_HEADER_TEXT = 2000;
const CUT = ' ...';
const utf8 = new TextEncoder();

/** Builds the response for a tool's output. It contains either JSON, or raw bytes with their type, name and length. */
export async function presentOutput(
  output: ToolOutput,
  warnings: readonly string[],
  exchange: Exchange,
): Promise<Response> {
  const headers = exchange.headers({});
  if (warnings.length > 0) headers['X-Tool-Warnings'] = headerText(warnings.join(' | '));
  if (output.headers) Object.assign(headers, output.headers);
  if (output.kind === 'json') {
    headers['Content-Type'] = 'application/json';
    const large = exchange.heldLarge;
    if (!large) {
      const body = utf8.encode(JSON.stringify(output.value));
      exchange.record.sent(body.byteLength);
      return new Response(body, { headers });
    }
    const blocks = await writeJson(output.value, () => large.begin());
    const size = blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    headers['Content-Length'] = String(size);
    const body = blocks.length === 1 ? blocks[0] : streamOf(blocks);
    return new Response(body, { headers });
  }
  const bytes = output.body instanceof Uint8Array ? output.body.byteLength : output.size;
  exchange.record.sent(bytes ?? 0);
  headers['Content-Type'] = output.contentType;
  headers['Content-Disposition'] = contentDisposition('attachment', output.filename);
  headers['X-Content-Type-Options'] = 'nosniff';
  // The header contains the facts that a result with a link to a stored file has as fields.
  const facts = JSON.stringify(output.facts);
  if (facts !== '{}') headers['X-File-Facts'] = facts;
  if (output.body instanceof Uint8Array || output.size === undefined) {
    return new Response(output.body, { headers });
  }
  // The runtime sets Content-Length only for a stream of fixed length.
  const { readable, writable } = new FixedLengthStream(output.size);
  output.body.pipeTo(writable).catch(() => {});
  return new Response(readable, { headers });
}

/** Streams the blocks. Each block is freed after it has been read. */
function streamOf(blocks: Uint8Array[]): ReadableStream<Uint8Array> {
  blocks.reverse();
  return new ReadableStream({
    pull(controller) {
      const block = blocks.pop();
      if (block) controller.enqueue(block);
      else controller.close();
    },
  });
}

/**
 * Converts any thrown value to an error response (decisions.md, Errors). Errors that are not meant for callers are
 * logged and not sent.
 */
export function presentError(thrown: unknown, exchange: Exchange): Response {
  const error = toToolError(thrown);
  exchange.fail(error);
  const headers = exchange.headers({ ...error.headers });
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return sendError(error.status, error.message, fieldsOf(error), headers, exchange);
}

/**
 * Returns a stored error as the response to the current request. The response has the ID of this request and the format
 * that it accepts.
 */
export function presentErrorAgain(
  status: number,
  sent: Record<string, unknown>,
  headers: Record<string, string>,
  exchange: Exchange,
): Response {
  const { type: _, title: __, status: ___, detail, error = detail, ...fields } = sent;
  exchange.record.fail({ status, code: fields.code as ErrorCode });
  return sendError(status, String(error), fields, headers, exchange);
}

function sendError(
  status: number,
  message: string,
  { code, ...fields }: Record<string, unknown>,
  headers: Record<string, string>,
  { request, requestId }: Exchange,
): Response {
  const problem = acceptsProblem(request.headers.get('Accept') ?? undefined);
  headers['Content-Type'] = problem ? 'application/problem+json' : 'application/json';
  // Problem details (RFC 9457) of the type about:blank should use the phrase of the HTTP status as their title.
  const problemFields = problem
    ? { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail: message }
    : { error: message };
  const body = JSON.stringify({ ...problemFields, code, ...fields, requestId });
  return new Response(body, { status, headers });
}

const fieldsOf = (error: ToolError) => ({
  code: error.code,
  // The property reserves the position of the field in the JSON. Its value is set for each request.
  requestId: undefined,
  param: error.param,
  retryAfter: error.retryAfter,
  details: error.details,
  ...error.extra,
});

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * Percent-encodes everything except printable ASCII, because header values can contain nothing else. Text that is too
 * long is cut between two words, so that no escape is split.
 */
function headerText(text: string): string {
  const encoded = text
    .toWellFormed()
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character));
  if (encoded.length <= MAX_HEADER_TEXT) return encoded;
  const end = encoded.lastIndexOf(' ', MAX_HEADER_TEXT - CUT.length);
  return `${encoded.slice(0, Math.max(end, 0))}${CUT}`;
}
