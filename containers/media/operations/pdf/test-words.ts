/** Makes the words of pages for tests. */
import type { StyledWord } from './styled-words.ts';

/** Returns an untagged word of regular type, 10 points high. */
export const wordAt = (text: string, left: number, top: number, width: number): StyledWord => ({
  text,
  left,
  top,
  right: left + width,
  bottom: top + 10,
  size: 10,
  isBold: false,
  isMono: false,
  isArtifact: false,
  order: undefined,
  element: undefined,
});

/** Returns the characters of a vertical line, each of which is a word. */
export const verticalLine = (text: string, left: number, top: number): StyledWord[] =>
  [...text].map((character, at) => wordAt(character, left, top + at * 10, 10));
