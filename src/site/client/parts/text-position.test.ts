/** Tests that the position named in an error message is found in the text. */
import { expect, it } from 'vitest';
import { indexIn } from './text-position.ts';

const TEXT = '{\n  "a": 1\n  "b": 2\n}';

it.each([
  ['The JSON is invalid at line 3, column 3: expected a comma.', TEXT.indexOf('"b"')],
  ['Implicit keys need to be on a single line at line 2, column 1.', 2],
  ['Unexpected token in JSON at position 0 (line 1 column 1).', 0],
  ['The JSON is invalid at line 4, column 2: found the end of the text.', TEXT.length],
])('the message %j names the index %i', (message, index) => {
  expect(indexIn(TEXT, message)).toBe(index);
});

it('a message without a line and a column names no position', () => {
  expect(indexIn(TEXT, 'The JSON is too long.')).toBeUndefined();
});
