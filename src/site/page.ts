/** An HTML answer: under a strict policy, with nothing from anywhere else. */
import { headerStylesHash } from './design/stylesheet.ts';
import { KeptBody } from './kept-body.ts';
import type { Site } from './site.ts';

interface PageOptions {
  status?: number;
  /** What only its reader may see: not cached, and forms tell this service where they come from. */
  personal?: boolean;
  /** Other origins that a form may lead to. */
  formTargets?: readonly string[];
  /** Where stored results come from, on pages that show them. */
  storageUrl?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

async function policy({ formTargets = [], storageUrl }: PageOptions): Promise<string> {
  const media = storageUrl ? `'self' blob: ${new URL(storageUrl).origin}` : "'self' blob:";
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' '${await headerStylesHash()}'`,
    "connect-src 'self'",
    `img-src data: ${media}`,
    `media-src ${media}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

interface Rendered {
  toString(): string | Promise<string>;
}
type Markup = Rendered | Promise<Rendered>;

/** The markup of a whole document as an answer. */
export async function page(markup: Markup, options: PageOptions = {}): Promise<Response> {
  const { status = 200 } = options;
  const headers = new Headers(await headersOf(options));
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return new Response(await documentOf(markup), { status, headers });
}

const documentOf = async (markup: Markup) => `<!doctype html>${await textOf(markup)}`;

/** The HTML of markup. Rendering is asynchronous where a part, such as a result view, is loaded first. */
export const textOf = async (markup: Markup): Promise<string> =>
  String(await (await markup).toString());

async function headersOf(options: PageOptions): Promise<Record<string, string>> {
  const { personal = false } = options;
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': await policy(options),
    'X-Content-Type-Options': 'nosniff',
    // With no-referrer a form's POST would carry "Origin: null" and be refused.
    'Referrer-Policy': 'same-origin',
    // Pages are the same for everyone but for the theme's cookie.
    'Cache-Control': personal ? 'no-store' : 'private, no-cache',
  };
}

/** A path can be written in several ways: more than this are not kept. */
const MOST_KEPT = 400;
const kept = new Map<string, { version: string; body: KeptBody }>();

/** A page that is the same for all who wish for the same colours: rendered once for each version of what it shows, empty where that does not change. */
export async function keptPage(
  { request, baseUrl, theme, path, storageUrl }: Site,
  version: string,
  render: () => Markup,
): Promise<Response> {
  const name = `${baseUrl} ${theme} ${path}`;
  const known = kept.get(name);
  if (known?.version === version) return known.body.answer(request);
  const body = await KeptBody.of(await documentOf(render()), await headersOf({ storageUrl }));
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(name, { version, body });
  return body.answer(request);
}
