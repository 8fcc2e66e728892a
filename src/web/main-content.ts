/** The main content of an HTML page as Markdown, without navigation, sidebars and scripts. Nothing is run. */
import { BoundedParser, type TagHandler } from './bounded-parser.ts';

const PIECE = 16 * 1024;
/** Characters of the Markdown. With the metadata, a response then stays below 1 MB. */
export const MAX_CONTENT = 150_000;
/** An `article` or `main` with less text, such as a teaser, is not the main content. */
const LEAST_TEXT = 250;
/** A block outside `article` and `main` is navigation if more than this share of its text is links. */
const MOST_LINKED = 0.5;

const SKIPPED = new Set(
  'script style noscript template svg math nav aside footer form button select iframe dialog head object audio video'.split(
    ' ',
  ),
);
const SKIPPED_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);
const SKIPPED_WORDS = new Set(
  'nav navbar navigation menu sidebar footer comments share social related promo cookie breadcrumb breadcrumbs'.split(
    ' ',
  ),
);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const MARKS: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*', code: '`' };
const HEADING = /^h([1-6])$/;
/** Elements that begin and end a block of text. */
const BLOCKS = new Set(
  'p div section article main header li dt dd figcaption figure blockquote pre h1 h2 h3 h4 h5 h6 td th tr table ul ol dl body address details summary'.split(
    ' ',
  ),
);

interface Block {
  markdown: string;
  /** Characters of text, and of those inside links. */
  text: number;
  linked: number;
  /** The number of the surrounding article or main element, or 0. */
  container: number;
}

/** Returns the content as Markdown; empty if the page has none. Links are resolved against `url`. */
export async function mainContent(html: string, url: URL, isXml = false): Promise<string> {
  const reader = new ContentReader(url);
  const parser = new BoundedParser(reader, isXml);
  await parser.readUntil(html, PIECE, () => reader.isFull);
  if (!parser.exhausted) parser.end();
  reader.finish();
  const chosen = chosenBlocks(reader.blocks);
  return joined(chosen).slice(0, MAX_CONTENT);
}

/** The blocks of the container with the most text, else all that are not mostly links. */
function chosenBlocks(blocks: readonly Block[]): readonly Block[] {
  const texts = new Map<number, number>();
  for (const { container, text, linked } of blocks) {
    texts.set(container, (texts.get(container) ?? 0) + text - linked);
  }
  texts.delete(0);
  const [best] = [...texts].sort(([, one], [, other]) => other - one);
  if (best && best[1] >= LEAST_TEXT) return blocks.filter(({ container }) => container === best[0]);
  return blocks.filter(({ text, linked }) => linked <= text * MOST_LINKED);
}

/** Joins blocks: list items and table rows without, other blocks with an empty line in between. */
function joined(blocks: readonly Block[]): string {
  const isTight = (markdown = '') => /^ {0,40}(?:-|\d{1,9}\.) |^\| /.test(markdown);
  return blocks
    .map(({ markdown }, at) => {
      const before = blocks[at - 1]?.markdown;
      if (before === undefined) return markdown;
      return (isTight(before) && isTight(markdown) ? '\n' : '\n\n') + markdown;
    })
    .join('');
}

class ContentReader implements TagHandler {
  readonly blocks: Block[] = [];
  readonly #base: URL;
  /** The open elements that are skipped, from the outermost on. */
  #skipped: string[] = [];
  /** The open lists: the number of the next item, or null in a list without numbers. */
  readonly #lists: (number | null)[] = [];
  readonly #containers: number[] = [];
  #containerCount = 0;
  #quotes = 0;
  #pre = 0;
  /** The depth of open code elements, in which Markdown has no escapes. */
  #code = 0;
  #prefix = '';
  /** The pieces of the open block: appending to one long string would copy it again and again. */
  #pieces: string[] = [];
  #size = 0;
  #text = 0;
  #linked = 0;
  #link: { href: string; from: number; text: number } | undefined;
  #row: string[] | undefined;
  #rows = 0;
  #length = 0;

  constructor(base: URL) {
    this.#base = base;
  }

  get isFull(): boolean {
    return this.#length >= MAX_CONTENT;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#skipped.length > 0) {
      if (!VOID.has(name)) this.#skipped.push(name);
      return;
    }
    if (isSkipped(name, attributes)) {
      if (!VOID.has(name)) this.#skipped = [name];
      return;
    }
    if (BLOCKS.has(name)) this.#begin(name, attributes);
    else if (name === 'br') this.#write(this.#pre > 0 ? '\n' : ' ');
    else if (name === 'hr') this.finish();
    else if (name === 'img') this.#image(attributes);
    else if (name === 'a') this.#openLink(attributes.href);
    else if (MARKS[name] && this.#pre === 0) this.#mark(name, 1);
  }

  text(text: string): void {
    if (this.#skipped.length > 0) return;
    if (this.#pre > 0) {
      this.#write(text);
      this.#text += text.length;
      return;
    }
    const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ');
    const isSpaced = /^$|\s$/.test((this.#pieces.at(-1) ?? '').slice(-1));
    const added = isSpaced && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    this.#text += added.length;
    this.#write(this.#code > 0 ? added : added.replace(/[\\`*_[\]<]/g, '\\$&'));
  }

  close(name: string): void {
    if (this.#skipped.length > 0) {
      const at = this.#skipped.lastIndexOf(name);
      if (at >= 0) this.#skipped.length = at;
      return;
    }
    if (name === 'a') this.#closeLink();
    else if (MARKS[name] && this.#pre === 0) this.#mark(name, -1);
    else if (BLOCKS.has(name)) this.#end(name);
  }

  /** Ends the block that is open, if it has text. */
  finish(): void {
    this.#closeLink();
    const whole = this.#pieces.join('');
    const trimmed = this.#pre > 0 ? whole : whole.trim();
    if (trimmed.replace(/[*`\s]/g, '') !== '') {
      const markdown = this.#pre > 0 ? fenced(trimmed) : this.#prefix + trimmed;
      if (this.#row) this.#row.push(trimmed.replaceAll('|', '\\|').replaceAll('\n', ' '));
      else this.#add('> '.repeat(this.#quotes) + markdown);
    }
    this.#pieces = [];
    this.#size = 0;
    this.#prefix = '';
    if (!this.#row) [this.#text, this.#linked] = [0, 0];
  }

  #add(markdown: string): void {
    const container = this.#containers.at(-1) ?? 0;
    const fitting = markdown.slice(0, Math.max(0, MAX_CONTENT - this.#length));
    this.#length += markdown.length;
    if (fitting === '') return;
    this.blocks.push({ markdown: fitting, text: this.#text, linked: this.#linked, container });
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    this.finish();
    const heading = HEADING.exec(name)?.[1];
    if (heading) this.#prefix = `${'#'.repeat(Number(heading))} `;
    else if (name === 'ul') this.#lists.push(null);
    else if (name === 'ol') this.#lists.push(1);
    else if (name === 'li') this.#prefix = this.#item();
    else if (name === 'blockquote') this.#quotes += 1;
    else if (name === 'pre') this.#pre += 1;
    else if (name === 'table') this.#rows = 0;
    else if (name === 'tr') this.#row = [];
    if (name === 'article' || name === 'main' || attributes.role === 'main') {
      // Articles inside an article, such as comments, belong to it.
      this.#containers.push(this.#containers.at(-1) ?? ++this.#containerCount);
    }
  }

  #end(name: string): void {
    this.finish();
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    else if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
    else if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1);
    else if (name === 'article' || name === 'main') this.#containers.pop();
    else if (name === 'tr') this.#endRow();
  }

  #endRow(): void {
    const cells = this.#row ?? [];
    this.#row = undefined;
    if (cells.length > 0) {
      this.#rows += 1;
      this.#add(`| ${cells.join(' | ')} |`);
      if (this.#rows === 1) this.#add(`| ${cells.map(() => '---').join(' | ')} |`);
    }
    [this.#text, this.#linked] = [0, 0];
  }

  #item(): string {
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1));
    const number = this.#lists.at(-1) ?? null;
    if (number === null) return `${indent}- `;
    this.#lists[this.#lists.length - 1] = number + 1;
    return `${indent}${number}. `;
  }

  #image({ src = '', alt = '' }: Readonly<Record<string, string>>): void {
    const address = this.#resolved(src);
    if (address && alt.trim() !== '')
      this.#write(`![${alt.trim().replace(/[[\]]/g, '')}](${address})`);
  }

  #openLink(href: string | undefined): void {
    this.#closeLink();
    const address = href === undefined ? null : this.#resolved(href);
    if (!address || this.#pre > 0) return;
    this.#link = { href: address, from: this.#pieces.length, text: this.#text };
  }

  #closeLink(): void {
    if (!this.#link) return;
    const { href, from, text } = this.#link;
    this.#link = undefined;
    const label = this.#pieces.splice(from).join('');
    if (label.trim() === '') return;
    this.#linked += this.#text - text;
    this.#pieces.push(`[${label.trim()}](${href})`);
    if (/\s$/.test(label.slice(-1))) this.#pieces.push(' ');
  }

  #resolved(href: string): string | null {
    const url = URL.parse(href.trim(), this.#base.href);
    return url && /^https?:$/.test(url.protocol)
      ? url.href.replace(/[()]/g, encodeURIComponent)
      : null;
  }

  #mark(name: string, change: number): void {
    this.#write(MARKS[name]!);
    if (name === 'code') this.#code = Math.max(0, this.#code + change);
  }

  #write(text: string): void {
    if (text === '' || this.#size > MAX_CONTENT) return;
    this.#size += text.length;
    this.#pieces.push(text);
  }
}

const fenced = (code: string) => {
  const text = code.replace(/^\n/, '').trimEnd();
  const fence = text.includes('```') ? '~~~~' : '```';
  return `${fence}\n${text}\n${fence}`;
};

function isSkipped(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (SKIPPED.has(name) || SKIPPED_ROLES.has(attributes.role ?? '')) return true;
  if (attributes.hidden !== undefined || attributes['aria-hidden'] === 'true') return true;
  if (name === 'body' || name === 'main' || name === 'article' || name === 'html') return false;
  const words = `${attributes.class ?? ''} ${attributes.id ?? ''}`
    .toLowerCase()
    .split(/[^a-z]+/, 20);
  return words.some((word) => SKIPPED_WORDS.has(word));
}
