/** What every HTTP room of the service shares: the app's types and the way endpoints are declared. */
import type { Context, Hono } from 'hono';
import type { Surface } from './access/surfaces.ts';
import { methodNotAllowed } from './core/errors.ts';
import type { Exchange } from './exchange.ts';

export interface AppEnv {
  /** What a request brings to its handler; the platform's own bindings stay behind the services. */
  Bindings: Exchange;
}

export type AppContext = Context<AppEnv>;

export type App = Hono<AppEnv>;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Methods that are answered by 405 where a path does not take them; HEAD is asked as GET. */
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
 * Declares a path with all its methods. HEAD follows GET, OPTIONS is answered, anything else is 405 with `Allow`
 * (RFC 9110 §15.5.6), which tells what is left of the `surface` that the path belongs to, and takes nothing of it.
 */
export function endpoint(
  app: App,
  path: string,
  handlers: Partial<Record<Method, Handler>>,
  surface?: Surface,
): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = [...methods, ...('GET' in handlers ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  for (const method of methods) app.on(method, path, handlers[method]!);
  app.on('OPTIONS', path, (c) => preflight(c, allow));
  // One handler a route, never two: Hono then calls it directly.
  const others = KNOWN_METHODS.filter((method) => !(method in handlers));
  app.on(others, path, async (c) => {
    if (surface) await (await c.env.arrive(surface)).tell();
    throw methodNotAllowed(c.req.method, allow);
  });
}

/** Declares a path to read from, each time for one unit of its surface's general limit. */
export function limitedGet(app: App, path: string, surface: Surface, handler: Handler): void {
  const GET: Handler = async (c) => {
    await (await c.env.arrive(surface)).enter();
    return handler(c);
  };
  endpoint(app, path, { GET }, surface);
}

/** Allowed pages may call without credentials (Fetch standard, CORS protocol). */
function preflight(c: AppContext, allow: string): Response {
  const headers: Record<string, string> = { Allow: allow };
  if (c.env.isGranted && c.req.header('Access-Control-Request-Method')) {
    headers['Access-Control-Allow-Methods'] = allow;
    headers['Access-Control-Allow-Headers'] = c.req.header('Access-Control-Request-Headers') ?? '';
    headers['Access-Control-Max-Age'] = '86400';
  }
  return new Response(null, { status: 204, headers });
}
