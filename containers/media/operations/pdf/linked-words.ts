/** Finds the words that links cover. */
import { firstIndex } from '../../pdf/first-index.ts';
import type { PageLink } from '../../pdf/page-links.ts';
import type { Box } from '../../pdf/page-space.ts';
import { BULLET } from './page-lines.ts';
import type { StyledWord, WordLink } from './styled-words.ts';

const OPENING = /[("'“‘«[]/u;
const CLOSING = /[.,;:!?)"'”’»\]]/u;
/** The usual widths of punctuation, as shares of the font size. */
const NARROW = 0.28;
const MONO = 0.6;
/**
 * The share of the font size by which a word must extend beyond its link's box to have letters outside it. Many boxes
 * have a margin.
 */
const MIN_EXCESS = 0.1;
/**
 * The maximum number of comparisons of words and links at the same height, in addition to one for each word. Real pages
 * need fewer than 100,000.
 */
const MAX_COMPARISONS = 2_000_000;
/**
 * The maximum number of characters of the addresses of all linked words on a page. One link may cover thousands of
 * words, each of which is written with its address before links are joined.
 */
const MAX_CHARACTERS = 1_000_000;

/**
 * Sets the link of each word that a link covers, except bullets and the numbers of items. If several links cover a
 * word, the last one is on top.
 */
export function linkWords(words: readonly StyledWord[], links: readonly PageLink[]): void {
  if (links.length === 0) return;
  const level = words
    .filter(({ text }) => !BULLET.test(text))
    .sort((a, b) => middleOf(a) - middleOf(b));
  let comparisons = words.length + MAX_COMPARISONS;
  let characters = MAX_CHARACTERS;
  for (const { box, uri } of links.toReversed()) {
    const first = firstIndex(level.length, (at) => middleOf(level[at]!) >= box.top);
    for (let at = first; at < level.length; at += 1) {
      const word = level[at]!;
      if (middleOf(word) > box.bottom) break;
      comparisons -= 1;
      if (comparisons < 0) return;
      if (word.link || !isBetween(word, box)) continue;
      characters -= uri.length;
      if (characters < 0) return;
      word.link = linkOf(word, box, uri);
    }
  }
}

const middleOf = ({ top, bottom }: Box) => (top + bottom) / 2;

/** Whether the center of a word is between the left and right edges of a link. */
function isBetween(word: Box, { left, right }: Box): boolean {
  const x = (word.left + word.right) / 2;
  return x >= left && x <= right;
}

/** Returns the link of a word, without the punctuation that is outside the link's box. */
function linkOf(word: StyledWord, box: Box, uri: string): WordLink {
  const letters = [...word.text];
  const before = punctuation(letters, OPENING, box.left - word.left, word);
  const after = punctuation(letters.toReversed(), CLOSING, word.right - box.right, word);
  return { uri, start: before, end: word.text.length - Math.max(after, endsAddress(word, uri)) };
}

/** Returns 1 if the word is the end of the link's address followed by a punctuation mark, and 0 otherwise. */
function endsAddress({ text }: StyledWord, uri: string): number {
  const address = uri.endsWith('/') ? uri.slice(0, -1) : uri;
  return /\w[.,;:]$/.test(text) && address.endsWith(text.slice(0, -1)) ? 1 : 0;
}

/** Returns the number of letters at the start that are punctuation and fit into the width outside the link's box. */
function punctuation(
  letters: readonly string[],
  kind: RegExp,
  outside: number,
  { size, isMono }: StyledWord,
): number {
  const width = size * (isMono ? MONO : NARROW);
  const most = Math.ceil((outside - size * MIN_EXCESS) / width);
  const marks = letters.findIndex((letter) => !kind.test(letter));
  return Math.max(0, Math.min(most, marks));
}
