import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { countTextHere } from './in-browser.ts';

const count = async (text: string) => (await runTool(countTextHere, { text })).value;

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

  it.each([
    ['a well-known fact', 3],
    ['see https://example.com/a/b now', 3],
    ["don't stop — it’s 3.5 % – or 1,000", 6],
    ['one–two—three', 3],
    ['- * … 👍 !', 0],
    ['naïve Ελλάδα книга 한국어 텍스트', 5],
    ['我有3本书', 4],
    ['iPhoneを買う now', 4],
    ['สวัสดีชาวโลก', 3],
  ])('counts the words of %j', async (text, words) => {
    expect(await count(text)).toMatchObject({ Words: String(words) });
  });

  it.each([
    ['Mr. Smith left.', 1],
    ['He met Dr. Who (Prof. X) in St. Ives. They left.', 2],
    ['Cats vs. Dogs, e.g. Rex, i.e. Max.', 1],
    ['Nuts, etc. and more. Nuts, etc. Then came more.', 3],
    ['We met at the St.\n\nNext', 2],
    ['Ask the Dr.', 1],
    ['It happens in chess vs.', 1],
    ['One.\n\n\nTwo.\n', 2],
  ])('counts the sentences of %j', async (text, sentences) => {
    expect(await count(text)).toMatchObject({ Sentences: String(sentences) });
  });

  it('counts a long text without spaces', async () => {
    expect(await count('x'.repeat(2e6))).toMatchObject({ Words: '1' });
    expect(await count('Mr. '.repeat(1e5))).toMatchObject({ Sentences: '1' });
  });

  it('returns zero for an empty text', async () => {
    const { value } = await runTool(countTextHere, { text: '' });
    expect(new Set(Object.values(value))).toEqual(new Set(['0']));
  });
});
