/** Counts with Unicode text segmentation, which supports languages without spaces, and emoji of several code points. */
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { countText } from './count_text.ts';

/** The mean silent reading speed of adults in English, in words per minute (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;

export const countTextHere = defineTool({
  ...countText,
  run({ text }) {
    const words = count(text, 'word', ({ isWordLike }) => isWordLike === true);
    const shown = {
      Characters: count(text, 'grapheme'),
      'Characters without spaces': count(text.replace(/\s/g, ''), 'grapheme'),
      Words: words,
      Sentences: count(text, 'sentence', ({ segment }) => segment.trim() !== ''),
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

function count(
  text: string,
  granularity: 'grapheme' | 'word' | 'sentence',
  counts = (_: Intl.SegmentData) => true,
): number {
  let number = 0;
  for (const segment of new Intl.Segmenter(undefined, { granularity }).segment(text))
    if (counts(segment)) number++;
  return number;
}
