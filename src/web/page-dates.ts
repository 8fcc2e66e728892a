/** Reads the dates that a page declares or shows. They are returned as ISO 8601 in UTC. */
import { attributeMarks, markedTags, textOf } from './marked-tags.ts';

const [FIRST_YEAR, LAST_YEAR] = [1970, 2100];

/**
 * Returns the first valid date among the strings, or undefined if there is none. A date without a time zone is read as
 * UTC.
 */
export function firstDate(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const date = text === undefined ? undefined : dateOf(text.trim());
    if (date) return date;
  }
  return undefined;
}

function dateOf(text: string): string | undefined {
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  const seconds = /^\d{10}$/.test(text) ? Number(text) * 1000 : undefined;
  const plain = compact ? compact.slice(1).join('-') : withYearFirst(text);
  // The parser would add the year 2001 to dates without a year, such as "Updated 3 May".
  if (seconds === undefined && !/\d{4}/.test(plain)) return undefined;
  const date = new Date(seconds ?? withZone(plain));
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : undefined;
}

/** Matches dates such as `24.5.2016`. The parser would read the month first. */
const DAY_FIRST = /(?<!\d)(\d\d?)\. ?(\d\d?)\. ?(\d{4})(?!\d)/;

const withYearFirst = (text: string): string => {
  const [whole = '', day, month, year] = DAY_FIRST.exec(text) ?? [];
  return year && text.startsWith(whole)
    ? isoDay(year, month, day) + text.slice(whole.length)
    : text;
};

const isoDay = (year: string, month = '', day = '') =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** Adds UTC to an ISO 8601 time without a zone. Otherwise, the time would be read in the machine's time zone. */
const withZone = (text: string): string =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

/** Returns the date in the first element that microdata marks with this name, such as `datePublished`. */
export function itemDate(html: string, name: string): string | undefined {
  for (const mark of attributeMarks('itemprop', name))
    for (const { tag, after } of markedTags(html, mark)) {
      const date = dateIn(tag, after)?.date;
      if (date) return date;
    }
  return undefined;
}

/** The parts of a tag that suggest a date, most reliable first. */
const SHOWN_MARKS = [
  ...['<time', 'published"', 'date"', 'Date"', 'pubdate', 'timestamp"', 'dateline', 'byline'],
  ...['time"', 'posted', 'submitted"', 'meta"', 'details"'],
];

export interface ShownDates {
  published?: string;
  /** The date after a word such as "Updated". */
  updated?: string;
}

/** Returns the first dates that a time element contains, or else an element whose attributes suggest a date. */
export function shownDates(html: string): ShownDates {
  const found: ShownDates = {};
  for (const mark of SHOWN_MARKS)
    for (const { tag, before, after } of markedTags(html, mark)) {
      const { date, lead } = (!OTHER_DATES.test(tag) && dateIn(tag, after)) || {};
      if (!date) continue;
      if (!UPDATED.test(`${textOf(before)}${lead}`.slice(-40)))
        return { ...found, published: date };
      found.updated ??= date;
    }
  return found;
}

/** Matches tags of dates that are not about the page, such as those of an event. */
const OTHER_DATES = /(?:start|end|birth|death|event|due|expir)\w{0,9}[-_]?date/i;
/** Matches text before the date of a modification. */
const UPDATED = /(?:updated|modified|revised|reviewed)[ :|]{0,3}(?:on |at )?$/i;

/** Matches `May 24th, 2016` or `24 May 2016`. */
const IN_WORDS =
  /\b(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? \d{4})\b/i;
/** Matches `2016-05-24`, `2016/5/24`, `2016.5.24` or `2016年5月24日`. */
const YEAR_FIRST = /(?<!\d)(\d{4})(?:[-/.]|年 ?)(\d\d?)(?:[-/.]|月 ?)(\d\d?)(?!\d)/;

/** Returns the date in an attribute of a tag or in the text after the tag, and the text that leads to it. */
function dateIn(tag: string, after: string): { date: string; lead: string } | undefined {
  const given = /[\s"'](?:datetime|content|title)=["']?([^"'>]+)/i.exec(tag)?.[1];
  if (given && firstDate([given])) return { date: given, lead: '' };
  const text = textOf(after);
  const written = [IN_WORDS, YEAR_FIRST, DAY_FIRST]
    .map((pattern) => pattern.exec(text))
    .filter((match) => match !== null)
    .sort((one, other) => one.index - other.index);
  for (const { index, 0: whole, 1: year, 2: month, 3: day } of written) {
    const isInWords = year === undefined;
    // Without UTC, a date that has no time zone would be read in the machine's time zone.
    const inWords = `${whole.replace(/(\d)(?:st|nd|rd|th)/i, '$1')} UTC`;
    const inNumbers = year?.length === 4 ? isoDay(year, month, day) : whole;
    const date = firstDate([isInWords ? inWords : inNumbers]);
    if (date) return { date, lead: text.slice(0, index) };
  }
  return undefined;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const PATH_DAY = /\/(\d{4})(?:[/-](\d\d)[/-](\d\d)(?!\d)|\/(\d\d?|[a-z]{3})\/(\d\d?)\/)/;

/**
 * Returns the day in the path of a URL. Blogs and newspapers have URLs such as `/2016/05/24/title`, `/2016/5/24/title`
 * and `/2016/may/24/title`.
 */
export function dateInPath(address: string): string | undefined {
  const [, year, month, day, part = '', number] = PATH_DAY.exec(address) ?? [];
  if (!year || day) return year && isoDay(year, month, day);
  const named = MONTHS.indexOf(part) + 1;
  return named === 0 && !/\d/.test(part) ? undefined : isoDay(year, String(named || part), number);
}
