/** Finds days in text, for example `May 24th, 2016` or `24.5.2016`. */
import { monthOf } from './month-names.ts';

/** Matches `24 May 2016`, `24. Mai 2016` or `24 de mayo de 2016`. */
const DAY_AND_WORD =
  /(?<![\d.])(\d\d?)(?:st|nd|rd|th|er|\.|º)? (?:de |d’)?(\p{L}{3,12})\.?,? (?:de )?(\d{4})(?!\d)/giu;
/** Matches `May 24th, 2016`. */
const WORD_AND_DAY = /(?<!\p{L})(\p{L}{3,12})\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})(?!\d)/giu;
/** Matches `2016. május 24.` or `2016 May 24`. */
const YEAR_AND_WORD = /(?<!\d)(\d{4})\.? (\p{L}{3,12})\.? (\d\d?)(?!\d)/gu;
/** Matches `24.5.2016`. Other parsers would read the month first. */
const DAY_FIRST = /(?<![\d.])(\d\d?)\. ?(\d\d?)\. ?(\d{4})(?!\d)/g;
/** Matches `24.05.16`, but not `1.4.18`, which may be a version. */
const SHORT_YEAR = /(?<![\d.])(\d\d)\.(\d\d)\.(\d\d)(?!\.?\d)/g;
/** Matches `2016-05-24`, `2016/5/24`, `2016.5.24`, `2016年5月24日` or `2016년 5월 24일`. */
const YEAR_FIRST = /(?<!\d)(\d{4})(?:[-/.]|[年년] ?)(\d\d?)(?:[-/.]|[月월] ?)(\d\d?)(?!\d)/g;
/** Matches `24/05/2016` and `05/24/2016`. */
const SLASHED = /(?<![\d/])(\d\d?)\/(\d\d?)\/(\d{4})(?![\d/])/g;

/** Returns the day in the groups of a match. `language` is the page's `lang` attribute. */
type ReadDay = (groups: readonly string[], language: string | undefined) => string | undefined;

const inOrder =
  (year: number, month: number, day: number): ReadDay =>
  (groups) =>
    isoDay(groups[year] ?? '', String(monthOf(groups[month] ?? '') ?? ''), groups[day] ?? '');

const FORMS: readonly (readonly [RegExp, ReadDay])[] = [
  [DAY_AND_WORD, inOrder(2, 1, 0)],
  [WORD_AND_DAY, inOrder(2, 0, 1)],
  [YEAR_AND_WORD, inOrder(0, 1, 2)],
  [DAY_FIRST, inOrder(2, 1, 0)],
  [SHORT_YEAR, ([day = '', month = '', year = '']) => isoDay(fullYear(year), month, day)],
  [YEAR_FIRST, inOrder(0, 1, 2)],
  [SLASHED, slashedDay],
];

const fullYear = (year: string) => (year < '70' ? `20${year}` : `19${year}`);

const MONTH_FIRST = /^en-US/i;
/** Matches the languages whose dates are read with the day first. In English, the order depends on the country. */
const IS_DAY_FIRST = /^(?:en-(?!US|CA|PH)|(?!en)[a-z])/i;

/** Returns the day if only one order gives a valid date, or if the language determines the order. */
function slashedDay(groups: readonly string[], language = ''): string | undefined {
  const dayFirst = inOrder(2, 1, 0)(groups, language);
  const monthFirst = inOrder(2, 0, 1)(groups, language);
  if (!dayFirst || !monthFirst || dayFirst === monthFirst) return dayFirst ?? monthFirst;
  if (MONTH_FIRST.test(language)) return monthFirst;
  return IS_DAY_FIRST.test(language) ? dayFirst : undefined;
}

export interface WrittenDay {
  /** The day in the format `2016-05-24`. */
  day: string;
  /** The position in the text. */
  start: number;
  end: number;
}

/** Returns the first day in a text on a page in `language`. The text's white space must be collapsed. */
export function writtenDay(text: string, language?: string): WrittenDay | undefined {
  let first: WrittenDay | undefined;
  for (const [form, read] of FORMS)
    for (const match of text.matchAll(form)) {
      const { index } = match;
      if (first && index >= first.start) break;
      const day = read(match.slice(1), language);
      if (!day) continue;
      first = { day, start: index, end: index + match[0].length };
      break;
    }
  return first;
}

/** Returns a day in the format `2016-05-24`. Returns undefined if the calendar has no such day. */
export function isoDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
