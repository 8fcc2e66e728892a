import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { countTextHere } from './in-browser.ts';

describe('count_text', () => {
  it('counts characters, words, sentences, lines, paragraphs, bytes and reading time', async () => {
    const { value } = await runTool(countTextHere, { text: 'One two. Three?\n\nFour 👩‍👩‍👧 é' });
    expect(value).toEqual({
      Characters: '25',
      'Characters without spaces': '19',
      Words: '5',
      Sentences: '3',
      Lines: '3',
      Paragraphs: '2',
      'Bytes in UTF-8': '43',
      'Minutes to read': '1',
    });
  });

  it('returns zero for an empty text', async () => {
    const { value } = await runTool(countTextHere, { text: '' });
    expect(new Set(Object.values(value))).toEqual(new Set(['0']));
  });
});
