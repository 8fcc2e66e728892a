/** The app: the order of the rooms, and the one place where errors become answers. */
import { Hono } from 'hono';
import { notFound } from './core/errors.ts';
import { Exchange } from './exchange.ts';
import type { AppEnv } from './http.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { chainRoute } from './rest/chain.ts';
import { contentRoutes } from './rest/content.ts';
import { descriptionRoutes } from './rest/descriptions.ts';
import { fileRoutes } from './rest/files.ts';
import { healthRoute } from './rest/health.ts';
import { jobRoutes } from './rest/jobs.ts';
import { presentError } from './rest/present.ts';
import { searchRoute } from './rest/search.ts';
import { shortLinkRoute } from './rest/short-links.ts';
import { toolRoutes } from './rest/tools.ts';
import { uploadRoutes } from './rest/uploads.ts';
import { usageRoute } from './rest/usage.ts';
import { servicesOf } from './services.ts';
import { errorPage } from './site/error-page.tsx';
import { siteRoutes } from './site/routes.ts';

export const app = new Hono<AppEnv>();

toolRoutes(app);
mcpRoutes(app);
chainRoute(app);
jobRoutes(app);
descriptionRoutes(app);
fileRoutes(app);
healthRoute(app);
usageRoute(app);
uploadRoutes(app);
contentRoutes(app);
searchRoute(app);
siteRoutes(app);
shortLinkRoute(app);

app.notFound((c) => {
  throw notFound(
    `There is nothing at ${c.req.path.slice(0, 200)}. The API is described at /api/v1/openapi.json.`,
  );
});
app.onError((error, c) => errorPage(presentError(error, c.env), c));

/** Answers a request. What every answer carries is added here, to results, pages and errors alike. */
export async function handle(
  request: Request,
  env: Cloudflare.Env,
  context: ExecutionContext,
): Promise<Response> {
  const exchange = new Exchange(request);
  try {
    // Throws where settings are missing or wrong: then there is no service.
    exchange.services = servicesOf(env);
    return exchange.complete(await app.fetch(request, exchange, context));
  } catch (error) {
    return exchange.complete(presentError(error, exchange));
  }
}
