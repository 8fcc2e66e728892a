/** Reads the dates that a page declares or shows. They are returned as ISO 8601 in UTC. */
import { DAY_MS } from '../core/calendar.ts';
import { attributeMarks, markedTags, textOf } from './marked-tags.ts';
import { hasMonth, monthOf } from './month-names.ts';
import { isoDay, writtenDay } from './written-dates.ts';

const [FIRST_YEAR, LAST_YEAR] = [1970, 2100];
/** The maximum length of a date, in characters. */
const MAX_DATE = 100;

/**
 * Returns the first valid date among the strings, or undefined if no string is valid. A date without a time zone is
 * read as UTC. `language` is the language of the page, which determines whether `05/06/2016` begins with the day or the
 * month.
 */
export function firstDate(
  texts: readonly (string | undefined)[],
  language?: string,
): string | undefined {
  for (const text of texts) {
    const date =
      text === undefined ? undefined : dateOf(text.trim().replace(/\s+/g, ' '), language);
    if (date) return date;
  }
  return undefined;
}

function dateOf(text: string, language?: string): string | undefined {
  if (text.length > MAX_DATE) return undefined;
  const [, ...compact] = /^(\d{4})(\d\d)(\d\d)(?:\d{4})?$/.exec(text) ?? [];
  if (compact.length > 0) return inRange(compact.join('-'));
  if (/^\d{10}$/.test(text)) return inRange(Number(text) * 1000);
  const { day, start, end } = writtenDay(text, language) ?? {};
  // JavaScript's date parser would read the month first.
  const isDayFirst = /^\d+(?:\. ?|\/)\d/.test(text.slice(start, end));
  const plain = day && isDayFirst ? day + text.slice(end) : text;
  return (isDate(plain) && inRange(withZone(plain))) || (day && inRange(day)) || undefined;
}

/**
 * Whether JavaScript's date parser may read a text. It would add the year 2001 to a date without a year, such as
 * "Updated 3 May", and ignore the words around a year, as in "Copyright 2016".
 */
const isDate = (text: string): boolean =>
  /^\d{4}$/.test(text) || (/\d{4}/.test(text) && (/\d\D+\d/.test(text) || hasMonth(text)));

function inRange(value: string | number): string | undefined {
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : undefined;
}

/** Adds UTC to an ISO 8601 time without a zone. Otherwise, the time would be read in the machine's time zone. */
const withZone = (text: string): string =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

/** Returns the date in the first element that microdata marks with this name, such as `datePublished`. */
export function itemDate(html: string, name: string, language?: string): string | undefined {
  for (const mark of attributeMarks('itemprop', name))
    for (const { tag, after } of markedTags(html, mark)) {
      const date = dateIn(tag, after, language)?.date;
      if (date) return date;
    }
  return undefined;
}

/** The parts of a tag that suggest a date, most reliable first. */
const SHOWN_MARKS = [
  ...['<time', 'published"', 'date"', 'Date"', 'pubdate', 'timestamp"', 'dateline', 'byline'],
  ...['time"', 'posted', 'submitted"', 'meta"', 'details"', 'info"'],
];

export interface ShownDates {
  published?: string;
  /** The date that a word such as "Updated" or its tag marks as a modification. */
  updated?: string;
}

/**
 * Returns the first date that a word such as "Updated" or its tag marks as a modification, and the first other date. If
 * there is no other date, a date that only its tag marks is also the date of publication. Reads `time` elements first,
 * then elements whose attributes suggest a date, then text that begins with a word such as "Published" or "Updated".
 */
export function shownDates(html: string, language?: string): ShownDates {
  const found: ShownDates = {};
  let only: string | undefined;
  for (const mark of SHOWN_MARKS)
    for (const { tag, before, after } of markedTags(html, mark)) {
      const { date, lead } = (!OTHER_DATES.test(tag) && dateIn(tag, after, language)) || {};
      if (!date || isFuture(date)) continue;
      const isLabelled = UPDATED.test(`${textOf(before)}${lead}`.slice(-40));
      if (!isLabelled && !UPDATED_TAG.test(tag)) return { ...found, published: date };
      if (!isLabelled) only ??= date;
      found.updated ??= date;
    }
  for (const { index } of html.matchAll(LABEL).take(MAX_LABELS)) {
    const text = html.slice(index + 1, index + MAX_LABELLED).trimStart();
    const { date, lead = '' } = dateAtBeginning(text, language) ?? {};
    if (!date || isFuture(date)) continue;
    if (PUBLISHED.test(lead)) return { ...found, published: date };
    if (UPDATED.test(lead)) found.updated ??= date;
  }
  return only ? { ...found, published: only } : found;
}

/** Whether a date is after today in every time zone. It may be the date of an event, but not of the page. */
const isFuture = (date: string): boolean => Date.parse(date) > Date.now() + DAY_MS;

/** Matches tags of dates that are not about the page, such as those of an event. */
const OTHER_DATES = /(?:start|end|birth|death|event|due|expir)\w{0,9}[-_]?date/i;
/** Matches tags of modifications. In older blogs, the only date of a page is also marked as a modification. */
const UPDATED_TAG = /^(?!.*(?:published|entry-date|pubdate)).*\b(?:updated|modified)\b/is;
/** Matches text before the date of a modification, such as `Last updated on Friday, `. */
const UPDATED =
  /(?:updated|modified|revised|reviewed|edited|changed|(?<!\p{L})stand|aktualisiert|geändert|bearbeitet|mise? à jour|modifiée?|actualizado|atualizado|aggiornato|bijgewerkt|gewijzigd|обновлено|zaktualizowano)(?!\p{L})[ :|]{0,3}(?:(?:on|at|am|le|el|em|il|op) )?(?:\p{L}{2,12}\.?,? )?$/iu;
/** Matches text before the date of publication. "Date" without a colon may be the heading of a column. */
const PUBLISHED =
  /^(?:published|posted|(?:date|datum)(?= ?:)|publication date|veröffentlicht|publiée?|publicado|pubblicato|gepubliceerd|опубликовано|opublikowano)(?!\p{L})[ :|]{0,3}(?:(?:on|at|am|le|el|em|il|op) )?(?:\p{L}{2,12}\.?,? )?$/iu;
/** Matches the end of a tag, and the beginning of a text that may match `UPDATED` or `PUBLISHED`. */
const LABEL =
  />\s*(?=this page|(?:the )?page|last |date|datum|zuletzt|laatst|publi|pubbl|post|veröff|gepub|опубл|opubl|updat|modif|revis|review|edit|chang|stand|aktual|geänd|bearb|mis|actual|atual|aggior|bijge|gewij|обнов|zaktual)/giu;
/** The maximum number of texts that begin with a label, and their maximum length with tags, in characters. */
const MAX_LABELS = 200;
const MAX_LABELLED = 200;

/** Match the attributes that may contain a date, most reliable first. */
const DATE_ATTRIBUTES = [
  /[\s"']datetime=["']?([^"'>]+)/i,
  /[\s"']content=["']?([^"'>]+)/i,
  /[\s"']title=["']?([^"'>]+)/i,
];

interface FoundDate {
  date: string;
  /** The text before the date. */
  lead: string;
}

/** Returns the date in an attribute of a tag or in the text after the tag. */
function dateIn(tag: string, after: string, language?: string): FoundDate | undefined {
  for (const attribute of DATE_ATTRIBUTES) {
    const given = attribute.exec(tag)?.[1];
    const date = given && writtenDay(given, language) && firstDate([given], language);
    if (date) return { date, lead: '' };
  }
  return dateAtBeginning(after, language);
}

function dateAtBeginning(html: string, language?: string): FoundDate | undefined {
  const text = textOf(html);
  const { day, start } = writtenDay(text, language) ?? {};
  const date = firstDate([day]);
  return date ? { date, lead: text.slice(0, start) } : undefined;
}

const PATH_DAY =
  /[/_-](\d{4})(?:[/-](\d\d)[/-](\d\d)(?!\d)|(\d\d)(\d\d)(?=[/._-]|$)|\/(\d\d?|[a-z]{3})\/(\d\d?)\/)/;

/**
 * Returns the day in the path of a URL. Blogs and newspapers have URLs such as `/2016/05/24/title`, `/2016/5/24/title`,
 * `/2016/may/24/title` and `/20160524/title`.
 */
export function dateInPath(address: string): string | undefined {
  const [, year, ...parts] = PATH_DAY.exec(URL.parse(address)?.pathname ?? '') ?? [];
  const [month, day] = parts.filter((part) => part !== undefined);
  const named = monthOf(month ?? '');
  return year && day && named ? isoDay(year, String(named), day) : undefined;
}
