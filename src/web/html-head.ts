/** Parses the head of an HTML document as browsers do. No script is run. */
import { BoundedParser, MAX_VALUE, type TagHandler } from './bounded-parser.ts';
import { linkedDataOf } from './linked-data.ts';

/** The number of characters per piece. After the head ends, parsing stops at the end of the current piece. */
const PIECE = 16 * 1024;
/** The elements that a head may contain. After `</head>`, any other element begins the body. */
const HEAD_ELEMENTS = new Set(
  'html head title base basefont bgsound link meta style script noscript noframes template'.split(
    ' ',
  ),
);
/** The elements whose content is ignored, because the title of an SVG image is not the title of the page. */
const INERT = new Set(['template', 'svg', 'math']);
/** Matches the keys of the meta elements that results use. */
const META_KEYS =
  /^(og|twitter|article|book|profile|music|video):|^(description|author|generator|theme-color|http-equiv:content-language|publisher|application-name|dc\.publisher|itemprop:image)$|date|modified|^published_|created$|issued$|author$|creator$|^byl(?:ine)?$/;
/** The link types that results use. */
const LINK_TYPES = new Set(
  'canonical alternate image_src manifest icon fluid-icon apple-touch-icon apple-touch-icon-precomposed'.split(
    ' ',
  ),
);
/** The maximum number of meta elements. The same limit applies to links. */
const MAX_DECLARED = 1000;
const MAX_LINK_TYPES = 20;

export interface HeadLink {
  /** The link types, in lower case. */
  rel: ReadonlySet<string>;
  href: string;
  type: string;
  sizes: string | undefined;
}

export interface Head {
  lang: string | undefined;
  /** The text of the first title element. White space is collapsed as in `document.title`. */
  title: string;
  /**
   * The document's base URL. This is the absolute URL in the first base element that contains one. Otherwise, it is
   * the document's own URL.
   */
  base: URL;
  /** The meta elements in document order. Keys are in lower case, and contents are trimmed and not empty. */
  metas: { key: string; content: string; media: string | undefined }[];
  links: HeadLink[];
  /** The contents of the document's JSON-LD scripts, up to the limits of linked-data.ts. */
  linkedData: string[];
  /** The whole document. It is searched for dates and an author only if the head does not declare them. */
  html: string;
  /** Whether values are missing because they were too long or too numerous. */
  isShortened: boolean;
  /** Whether the whole head was read. */
  isWhole: boolean;
}

/**
 * Parses the head of `html`, which is the document at `url`. `isXml` indicates whether it was served as XHTML. If the
 * head has no title, parsing continues up to the first title element, which `document.title` would return. Head
 * elements before it are also read.
 */
export async function readHead(html: string, url: URL, isXml = false): Promise<Head> {
  const reader = new HeadReader(url);
  const parser = new BoundedParser(reader, isXml);
  await parser.readUntil(html, PIECE, () => reader.ended);
  if (!reader.ended) parser.end();
  reader.head.isWhole = !parser.exhausted;
  reader.head.linkedData = linkedDataOf(html);
  reader.head.html = html;
  return reader.head;
}

class HeadReader implements TagHandler {
  readonly head: Head;
  ended = false;
  #title = '';
  #inTitle = false;
  #hasTitle = false;
  #hasBase = false;
  #afterHead = false;
  #inert = 0;

  constructor(url: URL) {
    this.head = {
      lang: undefined,
      title: '',
      base: url,
      metas: [],
      links: [],
      linkedData: [],
      html: '',
      isShortened: false,
      isWhole: true,
    };
  }

  open(name: string, attributes: Readonly<Record<string, string>>, cut: boolean): void {
    if (this.ended) return;
    if (INERT.has(name)) this.#inert += 1;
    if (this.#inert > 0) return;
    this.#afterHead ||= name === 'body' || name === 'frameset';
    if (this.#afterHead && !HEAD_ELEMENTS.has(name)) this.ended = this.#hasTitle;
    if (this.ended) return;
    if (name === 'html')
      this.head.lang ??= (attributes.lang ?? attributes['xml:lang'])?.trim() || undefined;
    else if (name === 'title' && !this.#hasTitle) this.#inTitle = true;
    else if (name === 'base') this.#base(attributes.href, cut);
    else if (name === 'meta') this.#meta(attributes, cut);
    else if (name === 'link') this.#link(attributes, cut);
  }

  text(text: string): void {
    if (this.#inTitle && !this.ended && this.#title.length <= MAX_VALUE) this.#title += text;
  }

  close(name: string): void {
    if (this.ended) return;
    if (INERT.has(name)) this.#inert = Math.max(0, this.#inert - 1);
    if (name === 'head') this.#afterHead = true;
    if (name !== 'title' || !this.#inTitle) return;
    this.#inTitle = false;
    this.#hasTitle = true;
    if (this.#title.length <= MAX_VALUE) this.head.title = collapse(this.#title);
    else this.head.isShortened = true;
  }

  #base(href: string | undefined, cut: boolean): void {
    if (href === undefined && cut) this.head.isShortened = true;
    const url = href === undefined ? null : resolve(href, this.head);
    if (this.#hasBase || !url || !/^https?:$/.test(url.protocol)) return;
    this.#hasBase = true;
    this.head.base = url;
  }

  #meta(attributes: Readonly<Record<string, string>>, cut: boolean): void {
    const { name, property, itemprop, media, content = '' } = attributes;
    const pragma = attributes['http-equiv'];
    const named = [
      ...[name, property],
      ...[pragma && `http-equiv:${pragma}`, itemprop && `itemprop:${itemprop}`],
    ];
    const keys = new Set(named.map((text) => text?.trim().toLowerCase() ?? ''));
    for (const key of keys) {
      if (!META_KEYS.test(key)) continue;
      if (content.trim() === '') this.head.isShortened ||= cut;
      else if (this.head.metas.length === MAX_DECLARED) this.head.isShortened = true;
      else this.head.metas.push({ key, content: content.trim(), media });
    }
  }

  #link(attributes: Readonly<Record<string, string>>, cut: boolean): void {
    const { rel = '', href = '', type = '', sizes } = attributes;
    const types = new Set(rel.trim().toLowerCase().split(/\s+/, MAX_LINK_TYPES));
    if (types.isDisjointFrom(LINK_TYPES)) return;
    if (href.trim() === '') this.head.isShortened ||= cut;
    else if (this.head.links.length === MAX_DECLARED) this.head.isShortened = true;
    else this.head.links.push({ rel: types, href, type: type.trim().toLowerCase(), sizes });
  }
}

const collapse = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ').trim();

/**
 * Returns a URL resolved against the base URL of the document. Returns null if the URL is malformed or longer than
 * `MAX_VALUE`.
 */
export function resolve(href: string, head: Head): URL | null {
  const url = URL.parse(href, head.base.href);
  if (!url || url.href.length <= MAX_VALUE) return url;
  head.isShortened = true;
  return null;
}

/** Returns the resolved URL if its scheme is http or https. Otherwise returns undefined. */
export function resolveHref(href: string, head: Head): string | undefined {
  const url = resolve(href, head);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
