/** Defines the types of the app and the declaration of endpoints. All HTTP modules use them. */
import type { Context, Hono } from 'hono';
import type { GeneralLimit } from './access/general-limits.ts';
import { methodNotAllowed, type ToolError } from './core/errors.ts';
import type { Exchange } from './exchange.ts';

export interface AppEnv {
  /** Handlers receive this object instead of the platform's bindings, which only the services use. */
  Bindings: Exchange;
}

export type AppContext = Context<AppEnv>;

export type App = Hono<AppEnv>;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The methods for which a path returns 405 if it does not support them. HEAD is handled as GET. */
const KNOWN_METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
];
export type Handler = (c: AppContext) => Response | Promise<Response>;

/**
 * Declares a path with all its methods. HEAD is handled as GET, and OPTIONS is answered as a preflight request. Any
 * other known method gets 405 with `Allow` (RFC 9110, section 15.5.6). If `limit` is given, this response also reports
 * its remaining quota, without consuming any. `refusalOf` returns the error of that response.
 */
export function endpoint(
  app: App,
  path: string,
  handlers: Partial<Record<Method, Handler>>,
  limit?: GeneralLimit,
  refusalOf = (c: AppContext, allow: string): ToolError => methodNotAllowed(c.req.method, allow),
): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = [...methods, ...('GET' in handlers ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  for (const method of methods) app.on(method, path, handlers[method]!);
  app.on('OPTIONS', path, (c) => preflight(c, allow));
  // The other methods have a separate route. Each route then has only one handler, which Hono calls directly.
  const others = KNOWN_METHODS.filter((method) => !(method in handlers));
  app.on(others, path, async (c) => {
    if (limit) await (await c.env.startAdmission(limit)).reportLimits();
    throw refusalOf(c, allow);
  });
}

/** Declares a GET path that costs one unit of a general limit. */
export function limitedGet(app: App, path: string, limit: GeneralLimit, handler: Handler): void {
  endpoint(app, path, { GET: limited(limit, handler) }, limit);
}

/** Returns a handler that runs after one unit of the general limit is charged. */
export const limited =
  (limit: GeneralLimit, handler: Handler): Handler =>
  async (c) => {
    await (await c.env.startAdmission(limit)).chargeGeneral();
    return handler(c);
  };

/** Answers a preflight request. Allowed pages may call without credentials (Fetch standard, CORS protocol). */
function preflight(c: AppContext, allow: string): Response {
  const headers: Record<string, string> = { Allow: allow };
  if (c.env.isGranted && c.req.header('Access-Control-Request-Method')) {
    headers['Access-Control-Allow-Methods'] = allow;
    headers['Access-Control-Allow-Headers'] = c.req.header('Access-Control-Request-Headers') ?? '';
    headers['Access-Control-Max-Age'] = '86400';
  }
  return new Response(null, { status: 204, headers });
}
