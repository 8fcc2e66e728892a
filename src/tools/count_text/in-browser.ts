/** Counts with Unicode text segmentation, which supports emoji of several code points and scripts without spaces. */
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { countText } from './count_text.ts';

/** The mean silent reading speed of adults in English, in words per minute (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;

/** Matches a script that is written without spaces between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** Matches an English abbreviation at the end of a segment. Segmentation would end a sentence after it. */
const ABBREVIATION = /\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|[Ee]\.g|[Ii]\.e)\.$/;

export const countTextHere = defineTool({
  ...countText,
  run({ text }) {
    const words = countWords(text);
    const shown = {
      Characters: countCharacters(text),
      'Characters without spaces': countCharacters(text.replace(/\s/g, '')),
      Words: words,
      Sentences: countSentences(text),
      Lines: text === '' ? 0 : text.split('\n').length,
      Paragraphs: text
        .split('\n')
        .filter((line, at, lines) => line.trim() && !lines[at - 1]?.trim()).length,
      'Bytes in UTF-8': new TextEncoder().encode(text).length,
      'Minutes to read': Math.ceil(words / WORDS_PER_MINUTE),
    };
    return json(
      Object.fromEntries(
        Object.entries(shown).map(([name, number]) => [name, number.toLocaleString('en')]),
      ),
    );
  },
});

const segmenter = (granularity: 'grapheme' | 'word' | 'sentence') =>
  new Intl.Segmenter(undefined, { granularity });

function countCharacters(text: string): number {
  let number = 0;
  for (const _ of segmenter('grapheme').segment(text)) number++;
  return number;
}

/** Splits the text at white space and dashes, and counts the pieces that contain a letter or a digit. */
function countWords(text: string): number {
  const words = segmenter('word');
  let number = 0;
  for (const [token] of text.matchAll(/[^\s–—]+/g)) {
    if (!UNSPACED.test(token)) number += Number(/[\p{L}\p{N}]/u.test(token));
    else for (const { isWordLike } of words.segment(token)) number += Number(isWordLike);
  }
  return number;
}

function countSentences(text: string): number {
  let number = 0;
  let isOpen = false;
  for (const { segment } of segmenter('sentence').segment(text)) {
    const sentence = segment.trim();
    // A blank line ends a sentence, even after an abbreviation.
    if (sentence === '' && !isOpen) continue;
    isOpen = ABBREVIATION.test(sentence);
    if (!isOpen) number++;
  }
  return number + Number(isOpen);
}
