/**
 * Serves the site's images to browsers, phones and link previews: the logo in several sizes, and a card for each page.
 */
import { SECTION_PATHS } from '../../core/content.ts';
import { notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { TOOLS } from '../../tools/registry.ts';
import { COLORS } from '../design/colors.ts';
import { MARK_SVG, tileSvg } from '../design/mark.ts';
import { CARD_HEIGHT, CARD_WIDTH, cardSvg } from './card.ts';
import { drawPng } from './draw.ts';

const DAY = 'public, max-age=86400';

/** The logo in several sizes. The manifest lists the icons that have a purpose. */
const ICONS = [
  { path: '/icon-32.png', side: 32, purpose: undefined },
  { path: '/apple-touch-icon.png', side: 180, purpose: undefined },
  { path: '/icon-192.png', side: 192, purpose: 'any' },
  { path: '/icon-512.png', side: 512, purpose: 'any' },
  { path: '/icon-512-maskable.png', side: 512, purpose: 'maskable' },
];

/** The systems that use these icons crop them, so rounded corners would show as gaps. */
const isBleeding = (path: string) => /maskable|apple/.test(path);

export function imageRoutes(app: App): void {
  endpoint(app, '/icon.svg', { GET: () => cached(MARK_SVG, 'image/svg+xml') });
  endpoint(app, '/manifest.webmanifest', { GET: manifest });
  // Some clients request this icon without reading a page.
  endpoint(app, '/favicon.ico', { GET: (c) => icon(c, '/icon-32.png', 32) });
  for (const { path, side } of ICONS) endpoint(app, path, { GET: (c) => icon(c, path, side) });
  endpoint(app, '/card.png', { GET: (c) => card(c, '/') });
  endpoint(app, '/card/*', { GET: (c) => card(c, c.req.path.slice('/card'.length)) });
}

async function icon(c: AppContext, path: string, side: number): Promise<Response> {
  return cached(await drawPng(c, tileSvg({ bleeding: isBleeding(path) }), side, side), 'image/png');
}

async function card(c: AppContext, file: string): Promise<Response> {
  const { serviceName, baseUrl } = c.env.services.config;
  const path = file.replace(/\.png$/, '');
  const about = await aboutPage(c, path);
  if (!about) throw notFound(`There is no page at ${path.slice(0, 200)}.`);
  const svg = cardSvg({ serviceName, address: new URL(path, baseUrl).host, ...about });
  return cached(await drawPng(c, svg, CARD_WIDTH, CARD_HEIGHT), 'image/png');
}

/** Returns undefined if the page does not exist, so that nobody can draw cards with arbitrary text. */
async function aboutPage(
  c: AppContext,
  path: string,
): Promise<{ title: string; description: string } | undefined> {
  if (path === '/') {
    return {
      title: `${TOOLS.length} everyday tools, for the browser, for code and for AI agents`,
      description: 'Use them in the browser, over HTTP, or over MCP. Most need no account.',
    };
  }
  const library = await c.env.services.library();
  const tool = TOOLS.find(({ name }) => path === `/tools/${name}`);
  const found = library.find(tool ? `${SECTION_PATHS['Tool docs']}/${tool.name}` : path);
  if (tool) return { title: tool.title, description: found?.description ?? tool.description };
  return found && { title: found.title, description: found.description };
}

/** Returns the path of a page's card. A page without its own card uses the service's card. */
export const cardPath = (path: string): string =>
  /^\/(docs|blog|how-to|compare|tools)\/[\w-]+$/.test(path) && path !== '/docs/api'
    ? `/card${path}.png`
    : '/card.png';

function manifest(c: AppContext): Response {
  const { serviceName } = c.env.services.config;
  const value = {
    id: '/',
    name: `${serviceName}: everyday tools`,
    short_name: serviceName,
    start_url: '/',
    display: 'standalone',
    background_color: COLORS.paper,
    theme_color: COLORS.accent,
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      ...ICONS.filter(({ purpose }) => purpose).map(({ path, side, purpose }) => ({
        src: path,
        sizes: `${side}x${side}`,
        type: 'image/png',
        purpose,
      })),
    ],
  };
  return cached(JSON.stringify(value), 'application/manifest+json');
}

const cached = (body: string | Uint8Array, type: string) =>
  new Response(body, {
    headers: {
      'Content-Type': type,
      'Cache-Control': DAY,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
    },
  });
