/** Creates the app: registers the routes of all modules and converts every error to a response. */
import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { notFound } from './core/errors.ts';
import { Exchange } from './exchange.ts';
import type { AppEnv } from './http.ts';
import { mcpRoutes, strayMcpRoutes } from './mcp/routes.ts';
import { chainRoute } from './rest/chain.ts';
import { contentRoutes } from './rest/content.ts';
import { descriptionRoutes } from './rest/descriptions.ts';
import { fileRoutes } from './rest/files.ts';
import { healthRoute } from './rest/health.ts';
import { inputRoutes } from './rest/inputs.ts';
import { jobRoutes } from './rest/jobs.ts';
import { metricsRoute } from './rest/metrics.ts';
import { presentError } from './rest/present.ts';
import { searchRoute } from './rest/search.ts';
import { shortLinkRoute } from './rest/short-links.ts';
import { strayToolRoute, toolRoutes } from './rest/tools.ts';
import { uploadRoutes } from './rest/uploads.ts';
import { usageRoute } from './rest/usage.ts';
import { servicesOf } from './services.ts';
import { errorPage } from './site/error-page.tsx';
import { linkWarning } from './site/link-warning.tsx';
import { siteRoutes } from './site/routes.ts';

/** Serves the routes for programs. RegExpRouter matches a path in one step and rejects ambiguous routes at startup. */
export const app = new Hono<AppEnv>({ router: new RegExpRouter() });

toolRoutes(app);
mcpRoutes(app);
chainRoute(app);
jobRoutes(app);
descriptionRoutes(app);
fileRoutes(app);
healthRoute(app);
metricsRoute(app);
usageRoute(app);
uploadRoutes(app);
inputRoutes(app);
contentRoutes(app);
searchRoute(app);

/** Serves the other routes, which are pages, short links and hints for mistyped addresses. */
const others = new Hono<AppEnv>();
siteRoutes(others, app);
strayMcpRoutes(others);
strayToolRoute(others);
shortLinkRoute(others, linkWarning);
app.notFound((c) => {
  c.env.record.onSite();
  return others.fetch(c.req.raw, c.env, c.executionCtx);
});

others.notFound((c) => {
  throw notFound(
    `There is nothing at ${c.req.path.slice(0, 200)}. The API is described at /api/v1/openapi.json.`,
  );
});
others.onError((error) => {
  throw error;
});
app.onError(async (error, c) => {
  const explained = await c.env.services.disk.explain(error);
  return errorPage(presentError(explained, c.env), c);
});

/** Handles a request. The common headers are added to every response, including pages and errors. */
export async function handle(
  request: Request,
  env: Cloudflare.Env,
  context: ExecutionContext,
): Promise<Response> {
  const exchange = new Exchange(request);
  try {
    // `servicesOf` throws if settings are missing or wrong. The request is then refused.
    exchange.begin(servicesOf(env));
    exchange.admitPage();
    return exchange.complete(exchange.release(await app.fetch(request, exchange, context)));
  } catch (error) {
    return exchange.complete(exchange.release(presentError(error, exchange)));
  }
}
