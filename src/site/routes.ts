/** The pages of the site. */

import { type App, type AppContext, endpoint } from '../http.ts';
import { generateQrCode } from '../tools/generate_qr_code/generate_qr_code.ts';
import { assetRoutes } from './assets.ts';
import { chainPageRoutes } from './chain/routes.ts';
import { contentPageRoutes } from './content/routes.ts';
import { developersRoutes } from './developers/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { HomePage } from './home/home-page.tsx';
import { imageRoutes } from './images/routes.ts';
import { cachedPage, page } from './page.ts';
import { searchPageRoutes } from './search/routes.ts';
import { siteOf } from './site.ts';
import { statusOf } from './status.ts';
import { StatusPage } from './status-page.tsx';
import { themeRoute } from './theme.ts';
import { toolListings } from './tool/documents.ts';
import { toolPageRoutes } from './tool/routes.ts';

/** `api` answers the calls that pages make. */
export function siteRoutes(app: App, api: App): void {
  endpoint(app, '/', { GET: home });
  endpoint(app, '/status', { GET: status });
  endpoint(app, '/robots.txt', { GET: robots });
  imageRoutes(app);
  toolPageRoutes(app, api);
  chainPageRoutes(app, api);
  searchPageRoutes(app, api);
  docsRoutes(app);
  contentPageRoutes(app);
  developersRoutes(app);
  themeRoute(app);
  assetRoutes(app);
}

async function home(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const library = await c.env.services.library();
  return cachedPage(site, library.digest, async () =>
    HomePage({
      site,
      qrDataUrl: await demoCode(site.baseUrl),
      listings: toolListings(library),
    }),
  );
}

/** The first code of the home page's example, by the tool itself. */
async function demoCode(text: string): Promise<string> {
  const input = generateQrCode.input.parse({ text, size: 320 });
  const output = await generateQrCode.run!(input, { warn: () => {} } as never);
  return output.kind === 'json' ? String(output.value.dataUrl) : '';
}

/** For crawlers (RFC 9309): pages are for all, calls are not for them. */
function robots(c: AppContext): Response {
  const { baseUrl } = siteOf(c);
  return new Response(
    `User-agent: *\nDisallow: /api/\nDisallow: /search?\n\nSitemap: ${baseUrl}/sitemap.xml\n`,
    { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' } },
  );
}

async function status(c: AppContext): Promise<Response> {
  const parts = await statusOf(c.env.services);
  const isWell = parts.every((part) => part.state !== 'down');
  return page(StatusPage({ site: siteOf(c), parts }), {
    status: isWell ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  });
}
