/** What the head of an HTML document says: read as browsers read it, without running anything. */
import { Parser } from 'htmlparser2';
import { linkedDataOf } from './linked-data.ts';

/** Parsing stops between pieces of this many characters once the head has ended. */
const PIECE = 16 * 1024;
/** What may stand in a head; after `</head>` anything else begins the body. */
const HEAD_ELEMENTS = new Set(
  'html head title base basefont bgsound link meta style script noscript noframes template'.split(
    ' ',
  ),
);
/** No honest head nests like this, and the parser slows down with depth. */
const MOST_DEPTH = 512;
/** Elements whose content is no part of the document. */
const INERT = new Set(['template', 'svg', 'math']);

export interface HeadLink {
  /** Link types, lower case. */
  rel: ReadonlySet<string>;
  href: string;
  type: string;
  sizes: string | undefined;
}

export interface Head {
  lang: string | undefined;
  /** Of the first title element, white space collapsed as in `document.title`. */
  title: string;
  /** Absolute: the first base element with an address, else the document's own. */
  base: URL;
  /** In document order; keys in lower case, contents trimmed, no empty ones. */
  metas: { key: string; content: string; media: string | undefined }[];
  links: HeadLink[];
  /** The texts of its JSON-LD, of the whole document. */
  linkedData: string[];
}

/**
 * Reads the head of `html`, a document at `url`; `isXml`: it came as XHTML. Where the head has no title, reading goes
 * on: `document.title` is the first title element wherever it stands, and what else belongs into a head stands by it.
 */
export function readHead(html: string, url: URL, isXml = false): Head {
  const reader = new HeadReader(url);
  const parser = new Parser(reader.handler, { xmlMode: isXml });
  for (let at = 0; at < html.length && !reader.ended; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
  }
  if (!reader.ended) parser.end();
  reader.head.linkedData = linkedDataOf(html);
  return reader.head;
}

class HeadReader {
  readonly head: Head;
  ended = false;
  readonly handler = {
    onopentag: (name: string, attributes: Record<string, string>) => this.#open(name, attributes),
    ontext: (text: string) => {
      if (this.#inTitle && !this.ended) this.#title += text;
    },
    onclosetag: (name: string) => this.#close(name),
  };
  #title = '';
  #inTitle = false;
  #hasTitle = false;
  #hasBase = false;
  #afterHead = false;
  #inert = 0;
  #depth = 0;

  constructor(url: URL) {
    this.head = { lang: undefined, title: '', base: url, metas: [], links: [], linkedData: [] };
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.ended) return;
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) this.ended = true;
    if (INERT.has(name)) this.#inert += 1;
    if (this.#inert > 0) return;
    this.#afterHead ||= name === 'body' || name === 'frameset';
    if (this.#afterHead && !HEAD_ELEMENTS.has(name)) this.ended = this.#hasTitle;
    if (this.ended) return;
    if (name === 'html')
      this.head.lang ??= (attributes.lang ?? attributes['xml:lang'])?.trim() || undefined;
    else if (name === 'title' && !this.#hasTitle) this.#inTitle = true;
    else if (name === 'base') this.#base(attributes.href);
    else if (name === 'meta') this.#meta(attributes);
    else if (name === 'link') this.#link(attributes);
  }

  #close(name: string): void {
    if (this.ended) return;
    this.#depth -= 1;
    if (INERT.has(name)) this.#inert = Math.max(0, this.#inert - 1);
    if (name === 'head') this.#afterHead = true;
    if (name !== 'title' || !this.#inTitle) return;
    this.#inTitle = false;
    this.#hasTitle = true;
    this.head.title = collapse(this.#title);
  }

  #base(href: string | undefined): void {
    const url = href === undefined ? null : URL.parse(href, this.head.base.href);
    if (this.#hasBase || !url || !/^https?:$/.test(url.protocol)) return;
    this.#hasBase = true;
    this.head.base = url;
  }

  #meta(attributes: Record<string, string>): void {
    const content = (attributes.content ?? '').trim();
    if (content === '') return;
    const { name, property, media } = attributes;
    const pragma = attributes['http-equiv'];
    const keys = [name, property, pragma && `http-equiv:${pragma}`];
    for (const key of new Set(keys.map((text) => text?.trim().toLowerCase()))) {
      if (key) this.head.metas.push({ key, content, media });
    }
  }

  #link(attributes: Record<string, string>): void {
    const { rel = '', href, type = '', sizes } = attributes;
    if (!href?.trim() || rel.trim() === '') return;
    const types = new Set(rel.toLowerCase().split(/\s+/).filter(Boolean));
    this.head.links.push({ rel: types, href, type: type.trim().toLowerCase(), sizes });
  }
}

const collapse = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ').trim();

/** An http(s) address as the document means it, or undefined. */
export function resolveHref(href: string, head: Head): string | undefined {
  const url = URL.parse(href, head.base.href);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
