/** Outputs and errors as HTTP answers. */
import { type ToolError, toToolError } from '../core/errors.ts';
import type { ToolOutput } from '../core/tool-output.ts';
import type { Exchange } from '../exchange.ts';
import { contentDisposition } from '../lib/filename.ts';
import { logCause } from '../lib/log-cause.ts';
import { acceptsProblem } from './accept.ts';

/** A tool's output: JSON, or raw bytes with type, name and length. */
export function presentOutput(
  output: ToolOutput,
  warnings: readonly string[],
  exchange: Exchange,
): Response {
  const headers = exchange.headers({});
  if (warnings.length > 0) headers['X-Tool-Warnings'] = headerText(warnings.join(' | '));
  if (output.headers) Object.assign(headers, output.headers);
  if (output.kind === 'json') {
    headers['Content-Type'] = 'application/json';
    return new Response(JSON.stringify(output.value), { headers });
  }
  headers['Content-Type'] = output.contentType;
  headers['Content-Disposition'] = contentDisposition('attachment', output.filename);
  headers['X-Content-Type-Options'] = 'nosniff';
  if (output.body instanceof Uint8Array || output.size === undefined) {
    return new Response(output.body, { headers });
  }
  // A stream has a Content-Length only when it is one of fixed length.
  const { readable, writable } = new FixedLengthStream(output.size);
  output.body.pipeTo(writable).catch(() => {});
  return new Response(readable, { headers });
}

/** Any thrown value as an error answer (decisions.md, Errors). What was not meant for callers is logged, not sent. */
export function presentError(thrown: unknown, exchange: Exchange): Response {
  const { request, requestId } = exchange;
  const error = toToolError(thrown);
  // A caller that went away is no failure of ours.
  const gone = request.signal.aborted;
  if (error.status >= 500 && error.cause && !gone) logCause(requestId, error.cause);
  const headers = exchange.headers({ ...error.headers });
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return sendError(error.status, error.message, fieldsOf(error), headers, exchange);
}

/** An error that was sent before, as the answer to the request at hand: with its id, in the form that it accepts. */
export function presentErrorAgain(
  status: number,
  sent: Record<string, unknown>,
  headers: Record<string, string>,
  exchange: Exchange,
): Response {
  const { type: _, title: __, status: ___, detail, error = detail, ...fields } = sent;
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
  // RFC 9457. The type is about:blank, so the title is that of the status.
  const told = problem
    ? { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail: message }
    : { error: message };
  const body = JSON.stringify({ ...told, code, ...fields, requestId });
  return new Response(body, { status, headers });
}

const fieldsOf = (error: ToolError) => ({
  code: error.code,
  // Its place; the request at hand fills it.
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

/** A header value holds printable ASCII; the rest is escaped as in a URL. At most 2,000 characters. */
const headerText = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character))
    .slice(0, 2000);
