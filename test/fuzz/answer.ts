/**
 * Checks the response to any request. Its status, format and error code must be documented, and it must not contain
 * internal details.
 */
import * as z from 'zod';
import { ERROR_CODES } from '../../src/core/errors.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import type { Call } from './fuzzed-service.ts';

const FINE = [200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308];
const REFUSED = [
  400, 401, 403, 404, 405, 406, 409, 410, 413, 414, 415, 416, 421, 422, 429, 431, 501,
];
/** Status 502 or 504 reports a failed upstream, and 503 reports a busy or unavailable component of the service. */
const LATER = [502, 503, 504];

const ERROR = z.looseObject({
  error: z.string().min(1),
  code: z.enum(ERROR_CODES as [string, ...string[]]),
  requestId: z.string().min(1),
  param: z.string().optional(),
  retryAfter: z.number().optional(),
});
const RPC = z.union([
  z.looseObject({ jsonrpc: z.literal('2.0'), result: z.record(z.string(), z.unknown()) }),
  z.looseObject({
    jsonrpc: z.literal('2.0'),
    error: z.looseObject({ code: z.int(), message: z.string() }),
  }),
]);

const INSIDE = [
  /\n\s+at .{1,200}:\d+:\d+/,
  /(?:\/(?:home|root|work|tmp|proc|usr|var|opt)\/[\w.-]{2,}[\w./-]*)/,
  /node_modules|file:\/\/\/|workerd|miniflare/i,
];

/** Returns a description of the problem with the response, or null if it is correct. */
export function problemOf(call: Call, response: Response, text: string): string | null {
  const { status } = response;
  if (![...FINE, ...REFUSED, ...LATER].includes(status))
    return `returns the undocumented status ${status}: ${text.slice(0, 300)}`;
  if (status === 503 && !response.headers.get('Retry-After')) return '503 without Retry-After';
  const isJson = (response.headers.get('Content-Type') ?? '').includes('json');
  if (isJson || status >= 400) {
    const leak = leakIn(text, call);
    if (leak) return `reveals internal details: ${leak}`;
  }
  if (!isJson || call.method === 'HEAD') return null;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `sends invalid JSON: ${text.slice(0, 100)}`;
  }
  // A request that fails before its body is parsed as JSON-RPC gets a REST error.
  if (call.path.startsWith('/api/mcp') && (status < 400 || !isOurError(body)))
    return rpcProblem(body);
  if (status >= 400) return shapeProblem(ERROR, body, 'error');
  return status === 200 && call.path === '/api/v1/tools/execute' ? resultProblem(call, body) : null;
}

const isOurError = (body: unknown) => ERROR.safeParse(body).success;

function rpcProblem(body: unknown): string | null {
  for (const each of Array.isArray(body) ? body : [body]) {
    const problem = shapeProblem(RPC, each, 'JSON-RPC response');
    if (problem) return problem;
  }
  return null;
}

function resultProblem(call: Call, body: unknown): string | null {
  const name = /"tool":"(\w+)"|name="tool"\r\n\r\n(\w+)/.exec(call.body ?? '');
  const tool = TOOLS.find((each) => each.name === (name?.[1] ?? name?.[2]));
  return tool?.output ? shapeProblem(tool.output, body, `result of ${tool.name}`) : null;
}

function shapeProblem(schema: z.ZodType, value: unknown, what: string): string | null {
  const { error } = schema.safeParse(value);
  if (!error) return null;
  const { path, message } = error.issues[0]!;
  return `the ${what} does not match its schema: ${path.join('.')}: ${message}: ${JSON.stringify(value).slice(0, 200)}`;
}

function leakIn(text: string, { body = '', path, page = '', headers }: Call): string | null {
  const sent = `${body}${path}${page}${Object.values(headers).join()}`;
  for (const pattern of INSIDE) {
    const found = pattern.exec(text)?.[0];
    // An error message may quote the caller's own text.
    if (found && !sent.includes(found))
      return text.slice(Math.max(0, text.indexOf(found) - 80)).slice(0, 240);
  }
  return null;
}
