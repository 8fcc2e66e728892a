/** Counts words: runs of non-space (decisions.md, Small print). */

const NON_ASCII_SPACE = /\s/;

const isSpace = (code: number): boolean =>
  code < 128
    ? code === 32 || (code >= 9 && code <= 13)
    : NON_ASCII_SPACE.test(String.fromCharCode(code));

/** The number of words; no list of them is made, which for a large text would be larger than the text. */
export function countWords(text: string): number {
  let count = 0;
  let inWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const space = isSpace(text.charCodeAt(index));
    if (inWord && space) inWord = false;
    else if (!inWord && !space) {
      inWord = true;
      count += 1;
    }
  }
  return count;
}
