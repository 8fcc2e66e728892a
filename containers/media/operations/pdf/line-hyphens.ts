/** Puts back hyphens that pdftotext takes from the ends of lines: it takes those of numbers and names, too. */

/** In small letters. */
type Compounds = ReadonlySet<string>;

/** The lines of a flow of text, in the order in which pdftotext writes them. */
type Flow = string[];

const ENTITIES: Record<string, string> = { amp: '&', apos: "'", quot: '"', lt: '<', gt: '>' };
const LONGEST_WORD = 100;
const LOWER = /\p{Ll}/u;
const IN_WORD = /[\p{L}\p{N}]/u;
/** A hyphen before a space, where not both its neighbours are small letters. */
const OTHER_THAN_BROKEN = /(?<!\p{Ll})-\s|-\s+(?!\p{Ll})/u;

/** It begins at the start of a word only: else a long word without a hyphen took the square of its length. */
const HYPHENATED = /(?<![\p{L}-])\p{L}*-[\p{L}-]*/gu;

const hyphens = (text: string) => text.length - text.replaceAll('-', '').length;

/** The words with a hyphen that stand within lines: `well-known`. */
export function compoundsIn(texts: readonly string[]): Set<string> {
  const compounds = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(HYPHENATED)) compounds.add(word.toLowerCase());
  }
  return compounds;
}

/** Whether `found` has fewer hyphens than the same page as it was drawn, which has them all. */
export const lacksHyphens = (found: string, drawn: string): boolean =>
  hyphens(found) < hyphens(drawn);

/** Whether hyphens at the ends of the lines of this page, as it was drawn, should stay. */
export const endsLinesInHyphens = (drawn: string, compounds: Compounds): boolean =>
  OTHER_THAN_BROKEN.test(drawn) || breaksCompound(drawn.split('\n'), compounds);

const breaksCompound = (lines: readonly string[], compounds: Compounds) =>
  lines.some((line, index) => line.endsWith('-') && isCompound(line, lines[index + 1], compounds));

/** Whether a line that ends with a hyphen and the next one break a word that has its hyphen elsewhere, too. */
function isCompound(line: string, next = '', compounds: Compounds): boolean {
  const [before] = /[\p{L}-]{0,100}$/u.exec(line) ?? [];
  const [after] = /^[\p{L}-]*/u.exec(next.slice(0, LONGEST_WORD)) ?? [];
  return compounds.has(`${before}${after}`.toLowerCase());
}

/** Of each page, the flows that `pdftotext -bbox-layout` lists. */
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
    .map((line) => line.replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity));

/**
 * The page with its hyphens. A word of small letters that was broken at the end of a line stays joined, unless it is
 * one of `compounds`. Where the flows are not what the text was made of (as with letters that pdftotext turns round), it stays as it is.
 */
export function withHyphens(text: string, flows: readonly Flow[], compounds: Compounds): string {
  const reader = new Reader(text);
  for (const lines of flows) {
    for (const [index, line] of lines.entries()) {
      const next = lines[index + 1];
      const taken = next !== undefined && line.endsWith('-');
      for (const letter of taken ? line.slice(0, -1) : line) {
        if (!reader.takes(letter)) return text;
      }
      if (taken) reader.puts(between(line, next, compounds));
    }
  }
  return reader.isAtEnd ? reader.read : text;
}

/** What stood between two lines, the first of which ended with a hyphen. */
function between(line: string, next: string, compounds: Compounds): string {
  const before = [...line.slice(-3, -1)].at(-1) ?? '';
  const [after = ''] = next;
  if (isCompound(line, next, compounds)) return '-';
  if (LOWER.test(before) && LOWER.test(after)) return '';
  return IN_WORD.test(before) && IN_WORD.test(after) ? '-' : '-\n';
}

/** Goes through a text letter by letter, past the white space. */
class Reader {
  read = '';
  private readonly letters: string[];
  private at = 0;

  constructor(text: string) {
    this.letters = [...text];
  }

  /** False where another letter comes next. */
  takes(letter: string): boolean {
    if (isSpace(letter)) return true;
    this.passSpace();
    if (this.letters[this.at] !== letter) return false;
    this.pass();
    return true;
  }

  puts(text: string): void {
    this.passSpace();
    this.read += text;
  }

  get isAtEnd(): boolean {
    return this.letters.slice(this.at).every(isSpace);
  }

  private passSpace(): void {
    while (isSpace(this.letters[this.at])) this.pass();
  }

  private pass(): void {
    this.read += this.letters[this.at];
    this.at += 1;
  }
}

const isSpace = (letter: string | undefined) => letter !== undefined && /\s/.test(letter);
