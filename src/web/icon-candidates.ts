/**
 * Lists the URLs at which a site may have icons. They come from its head and its manifest, in the order of the
 * contract.
 */
import { parsePageJson } from './bounded-json.ts';
import { type Head, type HeadLink, resolve, resolveHref } from './html-head.ts';
import { MAX_ADDRESS } from './public-url.ts';

export const ICON_SOURCES = [
  'manifest',
  'touch-icon',
  'favicon',
  'social-image',
  'default-path',
  'favicon-proxy',
] as const;

export interface Candidate {
  url: string;
  source: (typeof ICON_SOURCES)[number];
  declaredSizes?: string;
}

const MAX_MANIFEST_ICONS = 200;
const SOCIAL_KEYS = [
  'og:image',
  'og:image:url',
  'og:image:secure_url',
  'twitter:image',
  'twitter:image:src',
];

/** Returns the URL of the manifest, if the page has a manifest. */
export function manifestOf(head: Head): string | undefined {
  const link = head.links.find(({ rel }) => rel.has('manifest'));
  return link && resolveHref(link.href, head);
}

/**
 * Returns the icons of a web app manifest (W3C Web Application Manifest, section 1.7). Returns an empty array if the
 * manifest is invalid.
 */
export function manifestIcons(text: string, manifestUrl: URL): Candidate[] {
  const manifest = parsePageJson(text.replace(/^\ufeff/, ''));
  const icons = (manifest as { icons?: unknown } | null | undefined)?.icons;
  if (!Array.isArray(icons)) return [];
  return icons
    .slice(0, MAX_MANIFEST_ICONS)
    .flatMap((icon: { src?: unknown; sizes?: unknown; purpose?: unknown } | null) => {
      const url = typeof icon?.src === 'string' ? URL.parse(icon.src, manifestUrl.href) : null;
      if (!url || !isFetchable(url.href) || url.href.length > MAX_ADDRESS) return [];
      if (icon?.purpose === 'monochrome') return [];
      const sizes = typeof icon?.sizes === 'string' ? icon.sizes : undefined;
      return [candidate(url.href, 'manifest', sizes)];
    });
}

/** Returns all candidates of a page, without duplicates. */
export function candidatesOf(
  head: Head,
  page: URL,
  fromManifest: readonly Candidate[],
): Candidate[] {
  const links = (wanted: (rel: ReadonlySet<string>) => boolean, source: Candidate['source']) =>
    head.links.filter(({ rel }) => wanted(rel)).flatMap((link) => fromLink(link, head, source));
  const social = head.metas.filter(({ key }) => SOCIAL_KEYS.includes(key));
  const all = [
    ...fromManifest,
    ...links(
      (rel) => rel.has('apple-touch-icon') || rel.has('apple-touch-icon-precomposed'),
      'touch-icon',
    ),
    ...links((rel) => rel.has('icon') || rel.has('fluid-icon'), 'favicon'),
    ...social.flatMap(({ content }) => {
      const url = resolveHref(content, head);
      return url ? [candidate(url, 'social-image')] : [];
    }),
    candidate(new URL('/favicon.ico', page).href, 'default-path'),
  ];
  const seen = new Set<string>();
  return all.filter(({ url }) => !seen.has(url) && seen.add(url));
}

function fromLink(link: HeadLink, head: Head, source: Candidate['source']): Candidate[] {
  const url = resolve(link.href, head)?.href;
  return url && isFetchable(url) ? [candidate(url, source, link.sizes)] : [];
}

const isFetchable = (url: string) => /^(https?:|data:image\/)/i.test(url);

const candidate = (url: string, source: Candidate['source'], sizes?: string): Candidate => ({
  url,
  source,
  ...(sizes?.trim() && { declaredSizes: sizes.trim().slice(0, 200) }),
});
