/** The pages of the site. */

import { type App, type AppContext, endpoint } from '../http.ts';
import { generateQrCode } from '../tools/generate_qr_code/generate_qr_code.ts';
import { assetRoutes } from './assets.ts';
import { chainPageRoutes } from './chain/routes.ts';
import { contentPageRoutes } from './content/routes.ts';
import { MARK_SVG } from './design/mark.tsx';
import { developersRoutes } from './developers/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { HomePage } from './home/home-page.tsx';
import { keptPage, page } from './page.ts';
import { searchPageRoutes } from './search/routes.ts';
import { siteOf } from './site.ts';
import { statusOf } from './status.ts';
import { StatusPage } from './status-page.tsx';
import { themeRoute } from './theme.ts';
import { documentsVersion, toolSummaries } from './tool/documents.ts';
import { toolPageRoutes } from './tool/routes.ts';

export function siteRoutes(app: App): void {
  endpoint(app, '/', { GET: home });
  endpoint(app, '/status', { GET: status });
  endpoint(app, '/icon.svg', { GET: () => kept(MARK_SVG, 'image/svg+xml') });
  endpoint(app, '/manifest.webmanifest', { GET: manifest });
  toolPageRoutes(app);
  chainPageRoutes(app);
  searchPageRoutes(app);
  docsRoutes(app);
  contentPageRoutes(app);
  developersRoutes(app);
  themeRoute(app);
  assetRoutes(app);
}

async function home(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  return keptPage(site, await documentsVersion(c), async () =>
    HomePage({
      site,
      qrDataUrl: await demoCode(site.baseUrl),
      summaries: await toolSummaries(c),
    }),
  );
}

/** The first code of the home page's example, by the tool itself. */
async function demoCode(text: string): Promise<string> {
  const input = generateQrCode.input.parse({ text, size: 320 });
  const output = await generateQrCode.run!(input, { warn: () => {} } as never);
  return output.kind === 'json' ? String(output.value.dataUrl) : '';
}

async function status(c: AppContext): Promise<Response> {
  const parts = await statusOf(c.env.services);
  const isWell = parts.every((part) => part.state !== 'down');
  return page(StatusPage({ site: siteOf(c), parts }), {
    status: isWell ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  });
}

function manifest(c: AppContext): Response {
  const { serviceName } = c.env.services.config;
  const value = {
    name: `${serviceName}: developer tools`,
    short_name: serviceName,
    start_url: '/',
    display: 'standalone',
    background_color: '#faf9f6',
    theme_color: '#0a6454',
    icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  };
  return kept(JSON.stringify(value), 'application/manifest+json');
}

const kept = (body: string, type: string) =>
  new Response(body, {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=86400',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
    },
  });
