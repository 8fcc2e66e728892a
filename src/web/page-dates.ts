/** Dates that a page declares, as ISO 8601 in UTC. */

/** A page of news can list as many; the first is its own. */
const MOST_TAGS = 200;
/** Characters of a tag. */
const MOST_TAG = 1000;
const [FIRST_YEAR, LAST_YEAR] = [1970, 2100];

/** The first of the texts that is a date; undefined if none is. Without a time zone it is taken as UTC. */
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
  // "Updated 3 May" and the like would be dates of the year 2001 for the parser.
  if (seconds === undefined && !/\d{4}/.test(plain)) return undefined;
  const date = new Date(seconds ?? withZone(plain));
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : undefined;
}

/** A time of ISO 8601 without a zone would be taken in the zone of the machine. */
const withZone = (text: string): string =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

export interface MarkedDates {
  published: string | undefined;
  modified: string | undefined;
  /** Of the first time element that has one. */
  first: string | undefined;
}

/** The dates in the elements of a document's body, found without parsing it: microdata and time elements. */
export function markedDates(html: string): MarkedDates {
  const dates: MarkedDates = { published: undefined, modified: undefined, first: undefined };
  let tried = 0;
  for (const start of ['itemprop="datePublished"', 'itemprop="dateModified"', '<time']) {
    for (let at = html.indexOf(start); at >= 0 && tried < MOST_TAGS; tried += 1) {
      const open = start === '<time' ? at : html.lastIndexOf('<', at);
      const end = html.indexOf('>', at);
      if (end < 0) break;
      if (at - open <= MOST_TAG && end - at <= MOST_TAG) {
        const date = dateIn(html.slice(open, end + 1));
        if (start === '<time') dates.first ??= date;
        else if (start.includes('Published')) dates.published ??= date;
        else dates.modified ??= date;
      }
      at = html.indexOf(start, end);
    }
  }
  return dates;
}

/** The value of a tag's `datetime` or `content`. */
const dateIn = (tag: string): string | undefined =>
  /[\s"'](?:datetime|content)=["']?([^"'>]+)/i.exec(tag)?.[1];
