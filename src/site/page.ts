/**
 * Builds HTML responses with a strict content security policy. Scripts, styles and fonts come only from this origin.
 * Pages with results can also load images, videos and data from the origin of stored files.
 */
import { HEADER_STYLES } from './assets.ts';
import { CachedBody } from './cached-body.ts';
import { type Markup, textOf } from './markup-text.ts';
import type { Site } from './site.ts';

interface PageOptions {
  status?: number;
  /** Whether the page contains personal data. If so, browsers do not store it. */
  personal?: boolean;
  /** Other origins to which a form may redirect. */
  formTargets?: readonly string[];
  /** The base URL of stored files. Set on pages that can show results. */
  storageUrl?: string;
  headers?: Record<string, string>;
}

function policy({ formTargets = [], storageUrl }: PageOptions): string {
  const media = storageUrl ? `'self' blob: ${new URL(storageUrl).origin}` : "'self' blob:";
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' '${HEADER_STYLES.hash}'`,
    `connect-src 'self'${storageUrl ? ` ${new URL(storageUrl).origin}` : ''}`,
    `img-src data: ${media}`,
    `media-src ${media}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the response for a whole HTML document. */
export async function page(markup: Markup, options: PageOptions = {}): Promise<Response> {
  const { status = 200 } = options;
  const headers = new Headers(headersOf(options));
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return new Response(await documentOf(markup), { status, headers });
}

const documentOf = async (markup: Markup) => `<!doctype html>${await textOf(markup)}`;

function headersOf(options: PageOptions): Record<string, string> {
  const { personal = false } = options;
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(options),
    'X-Content-Type-Options': 'nosniff',
    // With `no-referrer`, the POST of a form would have the header "Origin: null" and be refused.
    'Referrer-Policy': 'same-origin',
    // The cookie with the theme changes the page, so shared caches must not store it.
    'Cache-Control': personal ? 'no-store' : 'private, no-cache',
  };
}

/** The maximum number of cached pages. Without it, the cache could grow forever, because a path has many spellings. */
const MAX_CACHED = 400;
const cached = new Map<string, { version: string; body: CachedBody }>();

/**
 * Renders a page that is the same for all visitors with the same theme. Each isolate renders it once per theme and
 * version of its data. The version is empty if the data never changes.
 */
export async function cachedPage(
  { request, baseUrl, theme, path, storageUrl }: Site,
  version: string,
  render: () => Markup,
): Promise<Response> {
  const name = `${baseUrl} ${theme} ${path}`;
  const known = cached.get(name);
  if (known?.version === version) return known.body.answer(request);
  const body = await CachedBody.of(await documentOf(render()), headersOf({ storageUrl }));
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(name, { version, body });
  return body.answer(request);
}
