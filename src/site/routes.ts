/** Registers the pages of the site. */

import { type App, type AppContext, endpoint } from '../http.ts';
import { adminRoutes } from './admin/routes.ts';
import { assetRoutes } from './assets.ts';
import { chainPageRoutes } from './chain/routes.ts';
import { contentPageRoutes } from './content/routes.ts';
import { developersRoutes } from './developers/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { HomePage } from './home/home-page.tsx';
import { imageRoutes } from './images/routes.ts';
import { legalRoutes } from './legal/routes.tsx';
import { cachedPage, page } from './page.ts';
import { reportRoutes } from './report-page.tsx';
import { searchPageRoutes } from './search/routes.ts';
import { siteOf } from './site.ts';
import { measuredSince, partStatuses } from './status.ts';
import { StatusPage } from './status-page.tsx';
import { themeRoute } from './theme.ts';
import { toolListings } from './tool/documents.ts';
import { toolPageRoutes } from './tool/routes.ts';
import { toolsOff } from './tools-off.ts';
import { uploadPageRoutes } from './upload-page.tsx';

/** @param api handles the calls that pages make */
export function siteRoutes(app: App, api: App): void {
  endpoint(app, '/', { GET: home });
  endpoint(app, '/status', { GET: status });
  endpoint(app, '/robots.txt', { GET: robots });
  imageRoutes(app);
  toolPageRoutes(app, api);
  chainPageRoutes(app, api);
  searchPageRoutes(app);
  docsRoutes(app);
  contentPageRoutes(app);
  developersRoutes(app);
  legalRoutes(app);
  reportRoutes(app);
  uploadPageRoutes(app);
  adminRoutes(app);
  themeRoute(app);
  assetRoutes(app);
}

async function home(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const library = await c.env.services.library();
  return cachedPage(site, library.digest, async () => {
    const { drawSvg, encodeQr } = await import('../tools/generate_qr_code/qr.ts');
    const code = drawSvg(encodeQr(new TextEncoder().encode(`${site.baseUrl}/`)), 160);
    return HomePage({ site, listings: toolListings(library), off: toolsOff(c), code });
  });
}

/** Returns robots.txt (RFC 9309), which allows crawlers to read pages, but neither to make calls nor to search. */
function robots(c: AppContext): Response {
  const { baseUrl } = siteOf(c);
  return new Response(
    `User-agent: *\nDisallow: /api/\nDisallow: /search?\n\nSitemap: ${baseUrl}/sitemap.xml\n`,
    { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' } },
  );
}

async function status(c: AppContext): Promise<Response> {
  const history = await c.env.services.health.read();
  const parts = partStatuses(history, Date.now());
  const last = history.checks.at(-1);
  const isWell = parts.every((part) => part.state !== 'down');
  const since = measuredSince(history);
  const checkedAt = last && new Date(last.at);
  const hasContact = c.env.services.config.operator.contact !== undefined;
  return page(StatusPage({ site: siteOf(c), parts, checkedAt, since, hasContact }), {
    status: isWell ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  });
}
