/** Reads the dates that a page declares. They are returned as ISO 8601 in UTC. */

/**
 * The maximum number of tags that are searched for dates. A news page may contain this many dates, and its own date
 * comes first.
 */
const MAX_TAGS = 50;
/** The maximum length of a tag, in characters. */
const MAX_TAG = 1000;
/** The maximum number of characters after a tag that are searched for the tag's date. */
const MAX_TEXT = 300;
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
  const plain = compact ? compact.slice(1).join('-') : text;
  // The parser would add the year 2001 to dates without a year, such as "Updated 3 May".
  if (seconds === undefined && !/\d{4}/.test(plain)) return undefined;
  const date = new Date(seconds ?? withZone(plain));
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : undefined;
}

/** Adds UTC to an ISO 8601 time without a zone. Otherwise, the time would be read in the machine's time zone. */
const withZone = (text: string): string =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

export interface MarkedDates {
  published: string | undefined;
  modified: string | undefined;
  /**
   * The date in the first time element that contains a date. If there is none, the date in the first element whose
   * class suggests a date.
   */
  first: string | undefined;
}

const itemMarks = (name: string) => ['"', "'", ''].map((quote) => `itemprop=${quote}${name}`);
const PUBLISHED_MARKS = itemMarks('datePublished');
const MODIFIED_MARKS = itemMarks('dateModified');
/** The parts of class attributes that suggest a date, most reliable first. */
const CLASS_MARKS = ['published"', 'date"', 'pubdate', 'timestamp"', 'dateline', 'byline'];

/** Finds the dates in the elements of a document without parsing the document. */
export const markedDates = (html: string): MarkedDates => ({
  published: markedDate(html, PUBLISHED_MARKS),
  modified: markedDate(html, MODIFIED_MARKS),
  first: markedDate(html, ['<time', ...CLASS_MARKS]),
});

/** Returns the first date in an element whose tag contains one of these strings. Earlier strings take precedence. */
function markedDate(html: string, marks: readonly string[]): string | undefined {
  for (const mark of marks) {
    let at = html.indexOf(mark);
    for (let tried = 0; at >= 0 && tried < MAX_TAGS; tried += 1) {
      const end = html.indexOf('>', at);
      if (end < 0) break;
      const tag = html.slice(Math.max(0, at - MAX_TAG), Math.min(end, at + MAX_TAG));
      const open = tag.lastIndexOf('<');
      const after = html.slice(end + 1, end + 1 + MAX_TEXT);
      const date = open >= 0 ? dateIn(tag.slice(open), after) : undefined;
      if (date) return date;
      at = html.indexOf(mark, end);
    }
  }
  return undefined;
}

/** Matches `2016-05-24`, `May 24th, 2016` or `24 May 2016`. */
const WRITTEN =
  /\b(?:\d{4}-\d\d-\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? \d{4})\b/i;

/** Returns the date in an attribute of a tag or in the text after the tag. */
function dateIn(tag: string, after: string): string | undefined {
  const given = /[\s"'](?:datetime|content|title)=["']?([^"'>]+)/i.exec(tag)?.[1];
  if (given && firstDate([given])) return given;
  const text = after.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
  const written = WRITTEN.exec(text)?.[0].replace(/(\d)(?:st|nd|rd|th)/i, '$1');
  if (!written) return undefined;
  // Without UTC, a date that has no time zone would be read in the machine's time zone.
  return /^\d{4}-/.test(written) ? written : `${written} UTC`;
}

/** Returns the day in the path of a URL. Blogs and newspapers have URLs such as `/2016/05/24/title`. */
export function dateInPath(address: string): string | undefined {
  const [, year, month, day] = /\/(\d{4})[/-](\d\d)[/-](\d\d)(?![\d])/.exec(address) ?? [];
  return year && `${year}-${month}-${day}`;
}
