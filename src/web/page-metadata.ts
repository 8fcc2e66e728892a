/** The metadata that a head declares, as fetch_page_metadata and fetch_site_logo report it. */
import { mediaTypeOf } from '../lib/media-type.ts';
import { type Head, type HeadLink, resolveHref } from './html-head.ts';
import { authorIn } from './linked-data.ts';
import type { PageMetadata } from './page-metadata-fields.ts';

const FEED_TYPES = [
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
];
/** Open Graph's object types, whose keys keep their own prefix. */
const OBJECT_KEY = /^(article|book|profile|music|video):./;
/** Keys whose value is an address. */
const ADDRESS_KEY = /^(url|image|video|audio|player)(:(url|src|secure_url|stream))?$/;

/** The fields of a page asked for as `url`, found at `finalUrl`. What the page does not declare is absent. */
export function metadataOf(head: Head, url: string, finalUrl: string): PageMetadata {
  const first = (key: string) => head.metas.find((meta) => meta.key === key)?.content;
  const openGraph = tagsOf(head, (key) => {
    if (key.startsWith('og:')) return key.slice(3);
    return OBJECT_KEY.test(key) ? key : '';
  });
  const twitter = tagsOf(head, (key) => (key.startsWith('twitter:') ? key.slice(8) : ''));
  const fields = {
    title: head.title || openGraph.title || twitter.title,
    description: first('description') ?? openGraph.description ?? twitter.description,
    siteName: openGraph.site_name,
    canonical: hrefs(head, ({ rel }) => rel.has('canonical'))[0],
    lang: head.lang ?? first('http-equiv:content-language'),
    themeColor: themeColor(head),
    author: first('author') ?? nameOnly(openGraph['article:author']) ?? authorIn(head.linkedData),
    generator: first('generator'),
  };
  const declared = Object.entries(fields).filter(([, value]) => value !== undefined);
  const feeds = hrefs(
    head,
    ({ rel, type }) => rel.has('alternate') && FEED_TYPES.includes(mediaTypeOf(type)),
  );
  return { url, finalUrl, ...Object.fromEntries(declared), feeds, openGraph, twitter };
}

/** Tags by the name that `nameOf` gives them; the first of several, as the Open Graph protocol has it. */
function tagsOf(head: Head, nameOf: (key: string) => string): Record<string, string> {
  const tags = new Map<string, string>();
  for (const { key, content } of head.metas) {
    const name = nameOf(key);
    if (name === '' || tags.has(name)) continue;
    tags.set(name, ADDRESS_KEY.test(name) ? (resolveHref(content, head) ?? content) : content);
  }
  return Object.fromEntries(tags);
}

function hrefs(head: Head, wanted: (link: HeadLink) => boolean): string[] {
  const found = head.links.filter(wanted).map(({ href }) => resolveHref(href, head));
  return [...new Set(found.filter((href) => href !== undefined))];
}

/** The colour that a browser in its light scheme takes. */
function themeColor({ metas }: Head): string | undefined {
  const colors = metas.filter(({ key }) => key === 'theme-color');
  const fitting = colors.find(({ media }) => !media || /light/i.test(media));
  return (fitting ?? colors[0])?.content;
}

/** article:author may be the address of a profile. */
const nameOnly = (author: string | undefined) =>
  author && !/^https?:/i.test(author) ? author : undefined;
