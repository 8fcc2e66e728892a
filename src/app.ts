/** The app: the order of the rooms, and the one place where errors become answers. */
import { Hono } from 'hono';
import { notFound } from './core/errors.ts';
import type { AppEnv } from './http.ts';
import { descriptionRoutes } from './rest/descriptions.ts';
import { fileRoutes } from './rest/files.ts';
import { healthRoute } from './rest/health.ts';
import { presentError } from './rest/present.ts';
import { shortLinkRoute } from './rest/short-links.ts';
import { toolRoutes } from './rest/tools.ts';
import { servicesOf } from './services.ts';
import { siteRoutes } from './site/routes.ts';

export const app = new Hono<AppEnv>();

/** Headers that scripts of other origins may read. */
const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Location, Retry-After, X-Input-Bytes, X-Output-Bytes, X-Request-Id, X-Tool-Warnings';

toolRoutes(app);
descriptionRoutes(app);
fileRoutes(app);
healthRoute(app);
siteRoutes(app);
shortLinkRoute(app);

app.notFound((c) => {
  throw notFound(
    `There is nothing at ${c.req.path.slice(0, 200)}. The API is described at /api/v1/openapi.json.`,
  );
});
app.onError((error, c) => presentError(error, c.req.raw, c.env.requestId));

/** Answers a request. What every answer carries is added here, to results, pages and errors alike. */
export async function handle(
  request: Request,
  env: Cloudflare.Env,
  context: ExecutionContext,
): Promise<Response> {
  const requestId = crypto.randomUUID();
  const response = await respond(request, requestId, env, context);
  const { headers } = response;
  headers.set('X-Request-Id', requestId);
  headers.set('Access-Control-Allow-Origin', '*');
  if (request.headers.has('Origin')) headers.set('Access-Control-Expose-Headers', EXPOSED);
  return response;
}

/** The app's answer, or why there can be none: settings that are missing or wrong. */
async function respond(
  request: Request,
  requestId: string,
  env: Cloudflare.Env,
  context: ExecutionContext,
): Promise<Response> {
  try {
    return await app.fetch(request, { requestId, services: servicesOf(env) }, context);
  } catch (error) {
    return presentError(error, request, requestId);
  }
}
