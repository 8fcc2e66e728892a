/** Counts words. A word is a run of non-space characters (decisions.md, Small print). */

const NON_ASCII_SPACE = /\s/;

const isSpace = (code: number): boolean =>
  code < 128
    ? code === 32 || (code >= 9 && code <= 13)
    : NON_ASCII_SPACE.test(String.fromCharCode(code));

/** Counts the words in text that arrives in chunks. A word may span two chunks. */
export class WordCount {
  total = 0;
  private inWord = false;

  add(text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      const space = isSpace(text.charCodeAt(index));
      if (this.inWord && space) this.inWord = false;
      else if (!this.inWord && !space) {
        this.inWord = true;
        this.total += 1;
      }
    }
  }
}

/** Returns the number of words. Does not build a list of them, which would be larger than the text. */
export function countWords(text: string): number {
  const count = new WordCount();
  count.add(text);
  return count.total;
}
