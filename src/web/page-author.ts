/** Reads the author whom a page names in its text, and normalizes names. */
import { attributeMarks, markedTags, textOf } from './marked-tags.ts';

/** The maximum length of a name in the text of a page, in characters. Longer text is not a name. */
const MAX_NAME = 60;

/** Matches URLs, including those without a scheme. */
const ADDRESS = /^(?:https?:|www\.|\/|[\w-]+(?:\.[\w-]+)+\/)/i;
const BY = /^(?:(?:posted|published|reported|story|text|words|written) )?by(?:[\s:]+|$)/i;

/**
 * Returns the name without "By" and without an address after it. Returns undefined for the URL of a profile, which some
 * pages have as their author.
 */
export function nameOnly(text: string | undefined): string | undefined {
  const name = text
    ?.trim()
    .replace(BY, '')
    .replace(/ ?[(<](?:https?:|mailto:|[^\s@()<>]{1,64}@)[^\s()<>]{0,200}[)>]$/i, '');
  return name && !ADDRESS.test(name) ? name : undefined;
}

const AUTHOR_MARKS = [...attributeMarks('rel', 'author'), ...attributeMarks('itemprop', 'author')];
/** Matches "By" in other languages, alone or before two words. Before one word it may be a part of a name. */
const BY_ABROAD = /^(?:von|par|por|door)(?:$| (?=\S+ \S))/i;
/** Matches a date and all text up to and including the word "by". */
const DATE_BY = /^[^\d]{0,30}\d.{0,60}? (?:by|von|par|por|door)(?: |$)/i;
/** The marks of elements that contain a name and other text. */
const BYLINE_MARKS = ['byline"', 'byline '];
/** The marks of elements and links that name an author or contain a part of a byline. */
const NAME_MARKS = ['author', 'Author', 'Byline', 'writer', 'submitted-by', '/autor/'];
/** Matches tags with the words themselves. `authority`, `authorize` and `typewriter` are other words. */
const NAMES_AUTHOR =
  /(?<![a-z])(?:author(?![ei])|writer)|Author(?![ei])|Byline|submitted-by|\/autor\//;
/** Matches tags of the authors of other texts, and of pages for authors. */
const NAMES_OTHER = /comment|guideline|quote|related|review|testimonial/i;
/** Matches the beginning of a review or a comment. Authors after it did not write the page. */
const NOT_BY_AUTHOR = /itemprop=["']?(?:review|comment)\b|(?:class|id)=["']comments?["'\s]/i;

/** Whether a page is marked as one article, and not as a list of articles. */
export function isOneArticle(html: string): boolean {
  for (const mark of ['<article', 'hentry']) {
    const tags = markedTags(html, mark);
    if (!tags.next().done) return tags.next().done === true;
  }
  return false;
}

/** Returns the author whom an article names in its text. */
export function shownAuthor(html: string): string | undefined {
  const end = html.search(NOT_BY_AUTHOR);
  const own = end < 0 ? html : html.slice(0, end);
  return (
    nameAt(own, AUTHOR_MARKS, /^[^\d|{}]+$/) ??
    nameAt(own, BYLINE_MARKS, FULL_NAME) ??
    nameAt(own, NAME_MARKS, CAPITALIZED, isOfAuthor)
  );
}

/** Matches two to five words of which the first begins with a capital letter. */
const FULL_NAME = /^\p{Lu}[^\s\d|{}]*(?: [^\s\d|{}]+){1,4}$/u;
/** Matches two to six words that all begin with a capital letter, except particles such as `van` or `de`. */
const CAPITALIZED =
  /^\p{Lu}[\p{L}'’.-]*(?: (?:d[aeiu]|de[lnr]|la|le|v[ao]n|bin|al|y|e|et|and|und|&|\p{Lu}[\p{L}'’.-]*)){1,5}$/u;
/** Matches the beginning of texts that are not names. */
const NOT_A_NAME =
  /^(?:about|all|alle|authors?|by|contact|editors?|featured|follow|for|guest|last|latest|meet|mehr|more|other|our|popular|posted|published|read|recent|related|staff|submit|the|top|updated|view|written)(?: |$)/i;

const isOfAuthor = (tag: string) => NAMES_AUTHOR.test(tag) && !NAMES_OTHER.test(tag);

/** Returns the first name that matches `pattern` after a tag that contains one of these marks and passes `isTag`. */
function nameAt(
  html: string,
  marks: readonly string[],
  pattern: RegExp,
  isTag: (tag: string) => boolean = () => true,
): string | undefined {
  for (const mark of marks)
    for (const { tag, before, after } of markedTags(html, mark)) {
      if (/^<(?:img|input|link|meta|script|style)\b/i.test(tag) || !isTag(tag)) continue;
      // A name in a figure is usually that of the photographer.
      if (before.lastIndexOf('<figure') > before.lastIndexOf('</figure')) continue;
      const text = textIn(/^<a\b/i.test(tag) ? (after.split(/<\/a\b/i)[0] ?? '') : after);
      const name = text?.replace(BY_ABROAD, '');
      if (!name || name.length > MAX_NAME || NOT_A_NAME.test(name)) continue;
      if (pattern.test(name)) return name;
    }
  return undefined;
}

/** Returns the first text between tags. Microdata may contain a name only as an attribute of a meta element. */
function textIn(html: string): string | undefined {
  const hidden = /^\s*<meta\s(?=[^<>]*\bitemprop=["']?name\b)[^<>]*\bcontent=["']([^"'<>]*)/i.exec(
    html,
  )?.[1];
  for (const piece of [hidden ?? '', ...html.split(/<[^<>]*>/)]) {
    const text = nameOnly(
      textOf(piece)
        .trim()
        .replace(DATE_BY, '')
        .replace(/[\s,;:|•·—–-]{1,9}$/, ''),
    );
    if (text && text.replace(BY_ABROAD, '') !== '') return text;
  }
  return undefined;
}
