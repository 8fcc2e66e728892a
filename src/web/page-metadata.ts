/** Collects the metadata that a page declares or shows. Both fetch_page_metadata and fetch_site_logo return it. */
import { mediaTypeOf } from '../lib/body.ts';
import { jsonBytes } from './bounded-json.ts';
import { MAX_VALUE } from './bounded-parser.ts';
import { type Head, type HeadLink, resolveHref } from './html-head.ts';
import { factsIn, type LinkedFacts } from './linked-data.ts';
import { isOneArticle, nameOnly, shownAuthor } from './page-author.ts';
import { dateInPath, firstDate, itemDate, shownDates } from './page-dates.ts';
import type { PageMetadata } from './page-metadata-fields.ts';

const FEED_TYPES = [
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
];
/** The maximum size of the metadata as JSON, in bytes. The icons of fetch_site_logo are not included. */
const MAX_METADATA_BYTES = 512 * 1024;
const SHORTENED = `page: Some values are missing, because they are longer than ${MAX_VALUE.toLocaleString('en-US')} characters or there are too many of them.`;
const PARTLY_READ =
  'page: Only the first part was read, because the page has too many tags or nests them too deeply.';
/** Matches keys of Open Graph's object types. Each object type has its own prefix. */
const OBJECT_KEY = /^(article|book|profile|music|video):./;
/** Matches the keys whose value is a URL. */
const ADDRESS_KEY = /^(url|image|video|audio|player)(:(url|src|secure_url|stream))?$/;

const words = (text: string) => text.trim().split(/\s+/);

/** The keys of meta elements that contain the date of publication, most reliable first. */
const PUBLISHED_KEYS =
  words(`article:published_time itemprop:datepublished datepublished og:published_time
  og:article:published_time publish-date publishdate publication_date citation_publication_date parsely-pub-date
  dc.date.issued dc.issued dcterms.date dc.date article:published published_at published_time publish_date pub_date`);
/**
 * The keys that contain the publication date on most pages. On some pages, they contain the date of the last
 * modification, or a local time without its time zone.
 */
const UNSPECIFIC_KEYS = words(
  'sailthru.date date itemprop:datecreated dcterms.created dc.date.created dc:created dc:date pubdate created http-equiv:date',
);
const MODIFIED_KEYS =
  words(`article:modified_time og:updated_time itemprop:datemodified datemodified
  og:article:modified_time article:modified updated_at dcterms.modified dc.date.modified last-modified
  lastmodified http-equiv:last-modified date-modified`);
/** The keys that contain an author's name if neither `author`, `article:author` nor JSON-LD does. */
const AUTHOR_KEYS =
  words(`citation_author dc.creator dc.author dcterms.creator parsely-author sailthru.author
  og:article:author og:author byl byline`);

export interface FoundMetadata {
  metadata: PageMetadata;
  /** The messages to the caller about missing parts of the page. */
  warnings: string[];
}

/** Returns the metadata of a page that was requested as `url` and found at `finalUrl`. Undeclared fields are absent. */
export function metadataOf(head: Head, url: string, finalUrl: string): FoundMetadata {
  const first = (key: string) => head.metas.find((meta) => meta.key === key)?.content;
  const openGraph = tagsOf(head, (key) => {
    if (key.startsWith('og:')) return key.slice(3);
    return OBJECT_KEY.test(key) ? key : '';
  });
  const twitter = tagsOf(head, (key) => (key.startsWith('twitter:') ? key.slice(8) : ''));
  const linked = factsIn(head.linkedData);
  const { image, 'image:url': imageUrl } = openGraph;
  const images = [image, imageUrl, twitter.image, twitter['image:src']];
  const canonical = hrefs(head, ({ rel }) => rel.has('canonical'))[0];
  const fields = {
    title: head.title || openGraph.title || twitter.title,
    description: first('description') ?? openGraph.description ?? twitter.description,
    siteName: openGraph.site_name,
    canonical,
    lang: head.lang ?? first('http-equiv:content-language'),
    themeColor: themeColor(head),
    author: authorOf(head, linked),
    generator: first('generator'),
    image: images.find(isWebAddress) ?? otherImage(head, linked),
    ...datesOf(head, linked, [finalUrl, canonical, openGraph.url]),
    publisher:
      linked.publisher ??
      openGraph.site_name ??
      linked.site ??
      nameOnly(openGraph['article:publisher']) ??
      first('publisher') ??
      first('dc.publisher') ??
      first('application-name'),
  };
  const feeds = hrefs(
    head,
    ({ rel, type }) => rel.has('alternate') && FEED_TYPES.includes(mediaTypeOf(type)),
  );
  const fits = within(MAX_METADATA_BYTES, head);
  const fitting = (named: Record<string, string | undefined>) =>
    Object.fromEntries(
      Object.entries(named).filter((entry): entry is [string, string] => fits(entry)),
    );
  const metadata = {
    url,
    finalUrl,
    ...fitting(fields),
    feeds: feeds.filter((feed) => fits(['', feed])),
    openGraph: fitting(openGraph),
    twitter: fitting(twitter),
  };
  return { metadata, warnings: warningsOf(head) };
}

/** Returns the author. Only articles name their author in the text. Other pages name the authors of their entries. */
function authorOf({ metas, html }: Head, { author, published }: LinkedFacts): string | undefined {
  const declared = (keys: readonly string[]) =>
    keys
      .flatMap((key) => metas.filter((meta) => meta.key === key))
      .map(({ content }) => nameOnly(content))
      .find((name) => name !== undefined);
  const isArticle = () =>
    published !== undefined ||
    metas.some(({ key, content }) => key === 'og:type' && /^article$/i.test(content)) ||
    isOneArticle(html);
  return (
    declared(['author', 'article:author']) ??
    author ??
    declared(AUTHOR_KEYS) ??
    labelled(metas) ??
    (isArticle() ? shownAuthor(html) : undefined)
  );
}

/** Matches the label of the author's name in a Twitter card. WordPress plugins add it in the language of the page. */
const AUTHOR_LABEL =
  /^(?:author|by|written by|verfasst von|geschrieben von|écrit par|escrito por|scritto da|geschreven door)$/i;

/** Returns the author in a Twitter card, which may contain two values with labels. */
function labelled(metas: Head['metas']): string | undefined {
  const label = metas.find(
    ({ key, content }) => /^twitter:label[12]$/.test(key) && AUTHOR_LABEL.test(content),
  );
  const key = label?.key.replace('label', 'data');
  return nameOnly(metas.find((meta) => meta.key === key)?.content);
}

/** Returns the dates of publication and modification. The most reliable declaration of each date is used. */
function datesOf(head: Head, linked: LinkedFacts, addresses: readonly (string | undefined)[]) {
  const { metas, html, lang } = head;
  const meta = (keys: readonly string[]) =>
    keys.map((key) => metas.find((declared) => declared.key === key)?.content);
  const inPath = addresses.map((address) => address && dateInPath(address));
  const publishedAt =
    firstDate([linked.published, ...meta(PUBLISHED_KEYS), linked.created], lang) ??
    itemDate(html, 'datePublished', lang) ??
    firstDate([...meta(UNSPECIFIC_KEYS), ...inPath], lang);
  const modifiedAt =
    firstDate([linked.modified, ...meta(MODIFIED_KEYS)], lang) ??
    itemDate(html, 'dateModified', lang);
  if (publishedAt) return { publishedAt, modifiedAt };
  const { published, updated } = shownDates(html, lang);
  return { publishedAt: published, modifiedAt: modifiedAt ?? updated };
}

/** Returns the image of a page whose Open Graph and Twitter tags contain no valid image URL. */
function otherImage(head: Head, { image }: LinkedFacts): string | undefined {
  const declared = image ?? head.metas.find(({ key }) => key === 'itemprop:image')?.content;
  const resolved = declared && resolveHref(declared, head);
  return resolved || hrefs(head, ({ rel }) => rel.has('image_src'))[0];
}

/** Whether a URL is valid and its scheme is http or https. The Open Graph and Twitter tags may contain other values. */
const isWebAddress = (address: string | undefined) =>
  address !== undefined && /^https?:/i.test(address) && URL.canParse(address);

/**
 * Returns a filter that accepts a value if the total size of the accepted values as JSON is then at most `bytes`.
 * Values that are longer than `MAX_VALUE` are refused.
 */
function within(bytes: number, head: Head) {
  let left = bytes;
  return ([name, value]: [string, string | undefined]): boolean => {
    if (value === undefined) return false;
    const size = jsonBytes([name, value]);
    const fits = value.length <= MAX_VALUE && size <= left;
    if (fits) left -= size;
    else head.isShortened = true;
    return fits;
  };
}

function warningsOf({ isShortened, isWhole }: Head): string[] {
  return [...(isShortened ? [SHORTENED] : []), ...(isWhole ? [] : [PARTLY_READ])];
}

/**
 * Returns the tags as an object whose keys come from `nameOf`. If a key occurs several times, its first value is used,
 * as in the Open Graph protocol.
 */
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

/** Returns the theme color for the light color scheme, or the first theme color if none is for that scheme. */
function themeColor({ metas }: Head): string | undefined {
  const colors = metas.filter(({ key }) => key === 'theme-color');
  const fitting = colors.find(({ media }) => !media || /light/i.test(media));
  return (fitting ?? colors[0])?.content;
}
