/** Restores the hyphens that pdftotext removes at line ends, including hyphens in numbers and names. */
import { unescaped } from './bbox-words.ts';

/** Hyphenated words in lower case. */
type Compounds = ReadonlySet<string>;

/** The lines of a text flow, in pdftotext's order. */
type Flow = string[];

const MAX_WORD_CHARACTERS = 100;
const LOWER = /\p{Ll}/u;
const IN_WORD = /[\p{L}\p{N}]/u;
/** Matches a hyphen before white space, unless there are lower-case letters on both sides. */
const LITERAL_HYPHEN = /(?<!\p{Ll})-\s|-\s+(?!\p{Ll})/u;

/**
 * The match must begin at the start of a word. Otherwise, matching would take quadratic time for a long word without a
 * hyphen.
 */
const HYPHENATED = /(?<![\p{L}-])\p{L}*-[\p{L}-]*/gu;

/**
 * Matches a word that is split between lower-case letters across two lines or columns, and the punctuation after it.
 */
const SPLIT_WORD =
  /(?<![\p{L}-])(\p{L}{0,99}\p{Ll})[-\u2010]\n{1,2}(\p{Ll}\p{L}{0,99})([^\s\p{L}]{0,9})[ \n]?/gu;

/**
 * Rejoins words that are split across lines or columns. The whole word is on the first line, as in the output of
 * pdftotext within a column. `compounds` are the words that keep their hyphen.
 */
export const withWholeWords = (text: string, compounds: Compounds = new Set()): string =>
  text.replace(SPLIT_WORD, (_, before: string, after: string, mark: string) => {
    const isHyphenated = compounds.has(`${before}-${after}`.toLowerCase());
    return `${before}${isHyphenated ? '-' : ''}${after}${mark}\n`;
  });

const hyphens = (text: string) => text.length - text.replaceAll('-', '').length;

/** Returns the hyphenated words within lines, such as `well-known`. */
export function compoundsIn(texts: readonly string[]): Set<string> {
  const compounds = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(HYPHENATED)) compounds.add(word.toLowerCase());
  }
  return compounds;
}

/**
 * Whether `found` has fewer hyphens than `drawn`. `drawn` is the page in drawing order, which preserves all hyphens.
 */
export const lacksHyphens = (found: string, drawn: string): boolean =>
  hyphens(found) < hyphens(drawn);

/** Whether hyphens at this page's line ends are part of its words. The page is given in drawing order. */
export const endsLinesInHyphens = (drawn: string, compounds: Compounds): boolean =>
  LITERAL_HYPHEN.test(drawn) || breaksCompound(drawn.split('\n'), compounds);

const breaksCompound = (lines: readonly string[], compounds: Compounds) =>
  lines.some((line, index) => line.endsWith('-') && isCompound(line, lines[index + 1], compounds));

/** Whether a line that ends with a hyphen and the line after it form a word that is hyphenated elsewhere. */
function isCompound(line: string, next = '', compounds: Compounds): boolean {
  const [before] = /[\p{L}-]{0,100}$/u.exec(line) ?? [];
  const [after] = /^[\p{L}-]*/u.exec(next.slice(0, MAX_WORD_CHARACTERS)) ?? [];
  return compounds.has(`${before}${after}`.toLowerCase());
}

/** Returns the text flows of each page, as `pdftotext -bbox-layout` lists them. */
export const flowsOfPages = (listed: string): Flow[][] =>
  listed
    .split('<page ')
    .slice(1)
    .map((page) => page.split('<flow>').slice(1).map(linesOf));

const linesOf = (flow: string): Flow =>
  flow
    .split('<line ')
    .slice(1)
    .map((line) => [...line.matchAll(/<word [^<>]*>([^<]*)</g)].map(([, word]) => word).join(' '))
    .map(unescaped);

/**
 * Returns the page with its hyphens. A word that is broken between lower-case letters at a line end is joined, unless
 * it is one of `compounds`. Returns the text unchanged if it does not match the flows, which happens for letters that
 * pdftotext rotates.
 */
export function withHyphens(text: string, flows: readonly Flow[], compounds: Compounds): string {
  const reader = new Reader(text);
  for (const lines of flows) {
    for (const [index, line] of lines.entries()) {
      const next = lines[index + 1];
      const endsInHyphen = next !== undefined && line.endsWith('-');
      for (const letter of endsInHyphen ? line.slice(0, -1) : line) {
        if (!reader.expect(letter)) return text;
      }
      if (endsInHyphen) reader.insert(between(line, next, compounds));
    }
  }
  return reader.isAtEnd ? reader.read : text;
}

/** Returns the text to insert between two lines, the first of which ends with a hyphen. */
function between(line: string, next: string, compounds: Compounds): string {
  const before = [...line.slice(-3, -1)].at(-1) ?? '';
  const [after = ''] = next;
  if (isCompound(line, next, compounds)) return '-';
  if (LOWER.test(before) && LOWER.test(after)) return '';
  return IN_WORD.test(before) && IN_WORD.test(after) ? '-' : '-\n';
}

/** Reads text letter by letter, skipping white space. */
class Reader {
  read = '';
  private readonly letters: string[];
  private at = 0;

  constructor(text: string) {
    this.letters = [...text];
  }

  /** Reads the letter. Returns false if the next letter is a different one. */
  expect(letter: string): boolean {
    if (isSpace(letter)) return true;
    this.skipSpace();
    if (this.letters[this.at] !== letter) return false;
    this.advance();
    return true;
  }

  insert(text: string): void {
    this.skipSpace();
    this.read += text;
  }

  get isAtEnd(): boolean {
    return this.letters.slice(this.at).every(isSpace);
  }

  private skipSpace(): void {
    while (isSpace(this.letters[this.at])) this.advance();
  }

  private advance(): void {
    this.read += this.letters[this.at];
    this.at += 1;
  }
}

const isSpace = (letter: string | undefined) => letter !== undefined && /\s/.test(letter);
