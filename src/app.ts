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

app.use(async (c, next) => {
  const requestId = crypto.randomUUID();
  c.set('requestId', requestId);
  await next();
  const { headers } = c.res;
  headers.set('X-Request-Id', requestId);
  headers.set('Access-Control-Allow-Origin', '*');
  if (c.req.raw.headers.has('Origin')) headers.set('Access-Control-Expose-Headers', EXPOSED);
});

app.use((c, next) => {
  c.set('services', servicesOf(c.env));
  return next();
});

toolRoutes(app);
descriptionRoutes(app);
fileRoutes(app);
healthRoute(app);
siteRoutes(app);
shortLinkRoute(app);

app.notFound((c) =>
  presentError(
    notFound(
      `There is nothing at ${c.req.path.slice(0, 200)}. The API is described at /api/v1/openapi.json.`,
    ),
    c,
  ),
);
app.onError(presentError);
