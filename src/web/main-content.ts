/**
 * Extracts the main content of an HTML page as Markdown. Navigation, sidebars and scripts are omitted. No script is
 * run.
 */
import { BoundedParser, type TagHandler } from './bounded-parser.ts';
import { codeLanguage, fenced } from './code-block.ts';
import { type Block, chosenBlocks, joined, LIST_GROUP, MIN_TEXT } from './content-blocks.ts';
import { BLOCKS, CODE_ELEMENTS, HEADING, MARKS, PERMALINK, VOID } from './content-elements.ts';
import { ContentTable, type EndedRow } from './content-table.ts';
import { isNamedSkipped, isSkipped } from './skipped-elements.ts';

const PIECE = 16 * 1024;
/** The maximum length of the Markdown, in characters. It keeps a response with metadata below 1 MB. */
export const MAX_CONTENT = 150_000;

export interface MainContent {
  /** The content is empty if the page has no main content. */
  markdown: string;
  /** Whether some of the page's content is missing from the Markdown. */
  isCut: boolean;
}

/** Returns the content as Markdown. Links are resolved against `url`. */
export async function mainContent(html: string, url: URL, isXml = false): Promise<MainContent> {
  const first = await contentOf(html, new ContentReader(url, true), isXml);
  if (first.markdown.length >= MIN_TEXT) return first;
  // Classes and IDs can mislead, because a wrapper's class may describe its content. The page is therefore read again
  // without regard to them.
  const second = await contentOf(html, new ContentReader(url, false), isXml);
  return second.markdown.length >= MIN_TEXT ? second : first;
}

async function contentOf(
  html: string,
  reader: ContentReader,
  isXml: boolean,
): Promise<MainContent> {
  const parser = new BoundedParser(reader, isXml);
  await parser.readUntil(html, PIECE, () => reader.isFull);
  if (!parser.exhausted) parser.end();
  reader.finish();
  const markdown = joined(chosenBlocks(reader.blocks));
  return {
    markdown: markdown.slice(0, MAX_CONTENT),
    isCut: parser.exhausted || reader.isFull || markdown.length > MAX_CONTENT,
  };
}

class ContentReader implements TagHandler {
  readonly blocks: Block[] = [];
  readonly #base: URL;
  /** The open elements that are skipped, outermost first. */
  #skipped: string[] = [];
  /** The open lists. An entry is the number of the next item, or null if the list is unnumbered. */
  readonly #lists: (number | null)[] = [];
  readonly #containers: number[] = [];
  #containerCount = 0;
  #quotes = 0;
  #pre = 0;
  /** The language of the open or next code block. */
  #language: string | undefined;
  /** The depth of open code elements. Inside them, Markdown has no escapes. */
  #code = 0;
  /** The depth of open elements with marks. A block cannot end inside them. */
  #marks = 0;
  /** The length of `#pieces` just after the last line break, or -1. */
  #broken = -1;
  #prefix = '';
  /**
   * The pieces of the open block. They are joined when the block ends, because appending to one long string would copy
   * it repeatedly.
   */
  #pieces: string[] = [];
  #size = 0;
  #text = 0;
  #linked = 0;
  #link: { href: string; from: number; text: number } | undefined;
  /** The open tables. `group` is the group of a table's rows. */
  readonly #tables: { table: ContentTable<Block>; group: number }[] = [];
  #groups = LIST_GROUP;
  #forms = 0;
  #isHeading = false;
  #length = 0;
  readonly #skipsByName: boolean;

  constructor(base: URL, skipsByName: boolean) {
    this.#base = base;
    this.#skipsByName = skipsByName;
  }

  get isFull(): boolean {
    return this.#length >= MAX_CONTENT;
  }

  /** Whether the next text follows white space or begins a block. */
  get #isSpaced(): boolean {
    return /^$|\s$/.test((this.#pieces.at(-1) ?? '').slice(-1));
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#skipped.length > 0) {
      if (!VOID.has(name)) this.#skipped.push(name);
      return;
    }
    const isNamed = this.#skipsByName && isNamedSkipped(name, attributes);
    if (isNamed || isSkipped(name, attributes)) {
      if (!VOID.has(name)) this.#skipped = [name];
      return;
    }
    if (BLOCKS.has(name)) this.#begin(name, attributes);
    else if (name === 'br') this.#break();
    else if (name === 'hr') this.finish();
    else if (name === 'img') this.#image(attributes);
    else if (name === 'a') this.#openLink(attributes.href);
    else if (MARKS[name] && this.#pre === 0) this.#mark(name, 1);
    if (CODE_ELEMENTS.has(name) || (name === 'code' && this.#pre > 0)) {
      this.#language = codeLanguage(attributes.class) ?? this.#language;
    }
  }

  text(text: string): void {
    if (this.#skipped.length > 0) return;
    if (this.#pre > 0) {
      this.#write(text);
      this.#text += text.length;
      return;
    }
    const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ');
    const added = this.#isSpaced && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
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

  /** Ends the open block and adds it if it has text. */
  finish(): void {
    this.#closeLink();
    const whole = this.#pieces.join('');
    const plain = this.#pre > 0 ? whole : whole.trim();
    if (plain.replace(/[*`\s]/g, '') !== '') {
      const isItem = this.#prefix !== '' && !this.#isHeading;
      const markdown = this.#pre > 0 ? fenced(plain, this.#language) : this.#prefix + plain;
      const block = {
        markdown: '> '.repeat(this.#quotes) + markdown,
        plain,
        isHeading: this.#isHeading,
        text: this.#text,
        linked: this.#linked,
        isInForm: this.#forms > 0,
        container: this.#containers.at(-1) ?? 0,
        group: isItem ? LIST_GROUP : undefined,
      };
      const table = this.#tables.at(-1)?.table;
      if (table?.isInCell) table.add(block);
      else this.#add(block);
      // The prefix stays pending until a block has text, because an item or heading may begin with a paragraph.
      this.#clearPrefix();
      // A class such as `lang-en` of an element with other text is not about the next code block.
      if (this.#pre === 0) this.#language = undefined;
    }
    this.#pieces = [];
    this.#broken = -1;
    [this.#size, this.#text, this.#linked] = [0, 0, 0];
  }

  #clearPrefix(): void {
    this.#prefix = '';
    this.#isHeading = false;
  }

  #add(block: Block): void {
    const fitting = block.markdown.slice(0, Math.max(0, MAX_CONTENT - this.#length));
    this.#length += block.markdown.length;
    if (fitting !== '') this.blocks.push({ ...block, markdown: fitting });
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    this.finish();
    const heading = HEADING.exec(name)?.[1];
    if (heading) [this.#prefix, this.#isHeading] = [`${'#'.repeat(Number(heading))} `, true];
    else if (name === 'ul') this.#lists.push(null);
    else if (name === 'ol') this.#lists.push(1);
    else if (name === 'li') this.#prefix = this.#item();
    else if (name === 'blockquote') this.#quotes += 1;
    else if (name === 'pre') this.#pre += 1;
    else if (name === 'form') this.#forms += 1;
    else if (name === 'table') this.#beginTable();
    else if (name === 'td' || name === 'th')
      this.#tables.at(-1)?.table.beginCell(attributes.colspan);
    if (name === 'article' || name === 'main' || attributes.role === 'main') {
      // Articles inside another article, such as comments, belong to the outer article.
      this.#containers.push(this.#containers.at(-1) ?? ++this.#containerCount);
    }
  }

  #end(name: string): void {
    this.finish();
    if (name === 'li' || HEADING.test(name)) this.#clearPrefix();
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    else if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
    else if (name === 'pre') this.#endCode();
    else if (name === 'form') this.#forms = Math.max(0, this.#forms - 1);
    else if (name === 'article' || name === 'main') this.#containers.pop();
    else if (name === 'td' || name === 'th') this.#tables.at(-1)?.table.endCell();
    else if (name === 'tr') this.#endRow(this.#tables.at(-1)?.table.endRow());
    else if (name === 'table') {
      this.#endRow(this.#tables.at(-1)?.table.endRow());
      this.#tables.pop();
    }
  }

  #endCode(): void {
    this.#pre = Math.max(0, this.#pre - 1);
    this.#language = undefined;
  }

  #beginTable(): void {
    this.#endRow(this.#tables.at(-1)?.table.beginInnerTable());
    this.#groups += 1;
    this.#tables.push({ table: new ContentTable(), group: this.#groups });
  }

  #endRow(ended: EndedRow<Block> | undefined): void {
    const [first] = ended?.blocks ?? [];
    if (!ended || !first) return;
    const open = this.#tables.at(-1)!;
    if (!ended.lines) {
      this.#groups += 1;
      open.group = this.#groups;
      for (const block of ended.blocks) this.#add(block);
      return;
    }
    const sum = (key: 'text' | 'linked') =>
      ended.blocks.reduce((total, block) => total + block[key], 0);
    const row = { ...first, text: sum('text'), linked: sum('linked'), group: open.group };
    const quotes = '> '.repeat(this.#quotes);
    for (const line of ended.lines) this.#add({ ...row, markdown: quotes + line });
  }

  #item(): string {
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1));
    const number = this.#lists.at(-1) ?? null;
    if (number === null) return `${indent}- `;
    this.#lists[this.#lists.length - 1] = number + 1;
    return `${indent}${number}. `;
  }

  #image({ src = '', alt = '', ...other }: Readonly<Record<string, string>>): void {
    // The `src` of images that scripts load later is a placeholder.
    const address = this.#resolved(other['data-src'] ?? src) ?? this.#resolved(src);
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
    if (label.trim() === '' || PERMALINK.test(label.trim())) return;
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

  /** Writes a line break as a space. Two line breaks separate paragraphs. */
  #break(): void {
    if (this.#pre > 0) this.#write('\n');
    else if (this.#pieces.length === this.#broken && this.#marks === 0 && !this.#link)
      this.finish();
    else {
      if (!this.#isSpaced) this.#write(' ');
      this.#broken = this.#pieces.length;
    }
  }

  #mark(name: string, change: number): void {
    this.#write(MARKS[name]!);
    this.#marks = Math.max(0, this.#marks + change);
    if (name === 'code') this.#code = Math.max(0, this.#code + change);
  }

  #write(text: string): void {
    if (text === '' || this.#size > MAX_CONTENT) return;
    this.#size += text.length;
    this.#pieces.push(text);
  }
}
