/**
 * Wraps htmlparser2 for untrusted pages. The parser runs in linear time and uses a limited amount of memory per
 * element.
 */
import { Parser } from 'htmlparser2';
import { MAX_ADDRESS } from './public-url.ts';

/** The maximum length of an attribute's value, in characters. Most long values are URLs. */
export const MAX_VALUE = MAX_ADDRESS;
const MAX_ATTRIBUTES = 100;
/** The maximum number of opening and closing tags. For some tags, the parser searches all open elements. */
const MAX_TAGS = 50_000;
/** The maximum depth of open elements. The parser moves all open elements at each tag. */
const MAX_DEPTH = 512;
/**
 * The number of characters after which the parser pauses. Parsing them takes about 20 ms. The number is a multiple of
 * every chunk size.
 */
const YIELD_EVERY = 256 * 1024;

export interface TagHandler {
  /** @param cut whether a value was dropped because it was longer than `MAX_VALUE` */
  open(name: string, attributes: Readonly<Record<string, string>>, cut: boolean): void;
  text?(text: string): void;
  close?(name: string): void;
}

export class BoundedParser extends Parser {
  /** Whether parsing stopped because the page has too many tags or nests them too deeply. */
  exhausted = false;
  #tags = 0;
  #attributes = 0;
  #length = 0;

  constructor(handler: TagHandler, xmlMode = false) {
    let depth = 0;
    super(
      {
        onopentagname: () => {
          depth += 1;
          if (depth > MAX_DEPTH) this.exhausted = true;
        },
        onopentag: (name, attributes) => {
          if (!this.exhausted) handler.open(name, attributes, dropLong(attributes));
        },
        ontext: (text) => {
          if (!this.exhausted) handler.text?.(text);
        },
        onclosetag: (name) => {
          depth -= 1;
          if (!this.exhausted) handler.close?.(name);
        },
      },
      { xmlMode },
    );
  }

  /**
   * Parses `text` in chunks of `size` characters until `isDone` returns true or the parser is exhausted. Other requests
   * run in between.
   */
  async readUntil(text: string, size: number, isDone: () => boolean): Promise<void> {
    for (let at = 0; at < text.length && !this.exhausted && !isDone(); at += size) {
      if (at > 0 && at % YIELD_EVERY === 0) await new Promise((resume) => setTimeout(resume));
      this.write(text.slice(at, at + size));
    }
  }

  override onopentagname(start: number, end: number): void {
    this.#count();
    this.#attributes = 0;
    super.onopentagname(start, end);
  }

  override onclosetag(start: number, end: number): void {
    this.#count();
    super.onclosetag(start, end);
  }

  override onattribname(start: number, end: number): void {
    this.#length = 0;
    this.#attributes += 1;
    // If an attribute's name is not passed to the parser, the parser treats the attribute as a duplicate of the last
    // one and ignores it.
    if (this.#attributes <= MAX_ATTRIBUTES) super.onattribname(start, end);
  }

  override onattribdata(start: number, end: number): void {
    if (this.#length <= MAX_VALUE) super.onattribdata(start, end);
    this.#length += end - start;
  }

  override onattribentity(codePoint: number): void {
    if (this.#length <= MAX_VALUE) super.onattribentity(codePoint);
    this.#length += 1;
  }

  #count(): void {
    this.#tags += 1;
    if (this.#tags > MAX_TAGS) this.exhausted = true;
  }
}

/** Removes values that are too long. Returns whether any value was removed. */
function dropLong(attributes: Record<string, string>): boolean {
  const long = Object.keys(attributes).filter((name) => attributes[name]!.length > MAX_VALUE);
  for (const name of long) delete attributes[name];
  return long.length > 0;
}
