/** Finds the words that links cover. */
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

/** Sets the link of each word that a link covers. If several links cover a word, the last one is on top. */
export function linkWords(words: readonly StyledWord[], links: readonly PageLink[]): void {
  let unlinked = words.filter(({ text }) => !BULLET.test(text));
  for (const { box, uri } of links.toReversed()) {
    const covered = unlinked.filter((word) => isInside(word, box));
    for (const word of covered) word.link = linkOf(word, box, uri);
    if (covered.length > 0) unlinked = unlinked.filter(({ link }) => !link);
  }
}

function isInside(word: Box, box: Box): boolean {
  const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
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
