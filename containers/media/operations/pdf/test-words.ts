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
