/** Outputs and errors as HTTP answers. */
import { type ToolError, toToolError } from '../core/errors.ts';
import type { ToolOutput } from '../core/tool-output.ts';
import type { Exchange } from '../exchange.ts';
import { logCause } from '../execute/failure.ts';
import { contentDisposition } from '../lib/filename.ts';

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
  const problem = (request.headers.get('Accept') ?? '').includes('application/problem+json');
  headers['Content-Type'] = problem ? 'application/problem+json' : 'application/json';
  const body = problem ? problemBody(error, requestId) : errorBody(error, requestId);
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

function errorBody(error: ToolError, requestId: string): Record<string, unknown> {
  return {
    error: error.message,
    code: error.code,
    requestId,
    ...common(error),
  };
}

/** RFC 9457. The type is about:blank, so the title is that of the status. */
function problemBody(error: ToolError, requestId: string): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: TITLES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...common(error),
  };
}

const common = (error: ToolError) => ({
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
