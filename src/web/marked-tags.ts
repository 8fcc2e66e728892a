/** Finds the tags of a document that contain a mark, such as an attribute, without parsing the document. */
import { decodeHTML } from 'entities';

/** The maximum number of tags per mark. A page's own date and author come before those of related pages. */
const MAX_TAGS = 50;
/** The maximum number of occurrences per mark. Scripts may contain the same words as tags. */
const MAX_OCCURRENCES = 1000;
/** The maximum length of a tag, in characters. */
const MAX_TAG = 1000;
/** The number of characters before a tag, and after it, that belong to its context. */
const MAX_BEFORE = 200;
const MAX_AFTER = 300;

export interface MarkedTag {
  /** The tag from its `<` to the character before its `>`. Long tags are cut. */
  tag: string;
  before: string;
  /** The HTML after the tag. If it is cut, it ends before its last tag, if it has one. */
  after: string;
}

/** Yields the tags that contain `mark`, in document order. */
export function* markedTags(html: string, mark: string): Generator<MarkedTag> {
  let at = html.indexOf(mark);
  let found = 0;
  for (let tried = 0; at >= 0 && tried < MAX_OCCURRENCES && found < MAX_TAGS; tried += 1) {
    const end = html.indexOf('>', at);
    if (end < 0) return;
    const from = Math.max(0, at - MAX_TAG);
    const head = html.slice(from, at + mark.length);
    const open = head.lastIndexOf('<');
    if (open >= 0 && !head.includes('>', open)) {
      found += 1;
      const start = from + open;
      yield {
        tag: html.slice(start, Math.min(end, at + MAX_TAG)),
        before: html.slice(Math.max(0, start - MAX_BEFORE), start),
        after: beginningOf(html, end + 1),
      };
    }
    at = html.indexOf(mark, end);
  }
}

/**
 * Returns the beginning of the HTML after an offset. If it must be cut, it ends before its last tag, so that no tag and
 * no name is cut.
 */
function beginningOf(html: string, from: number): string {
  const after = html.slice(from, from + MAX_AFTER);
  const isCut = from + MAX_AFTER < html.length;
  return isCut && after.includes('<') ? after.slice(0, after.lastIndexOf('<')) : after;
}

/** Returns the marks of an attribute with and without quotation marks. */
export const attributeMarks = (name: string, value: string): string[] =>
  ['"', "'", ''].map((quote) => `${name}=${quote}${value}`);

/** Returns the text of a piece of HTML. White space is collapsed. */
export const textOf = (html: string): string =>
  decodeHTML(html.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ');
