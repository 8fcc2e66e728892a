import { expect, it } from 'vitest';
import { withLimitsNote } from './limits-note.ts';

it('withLimitsNote adds a note only on a server without limits, to a text that names limits', () => {
  const text = '<p>a</p><h2 id="limits">Limits</h2><p>35 an hour</p>';
  expect(withLimitsNote(text, { isLimited: true })).toBe(text);
  expect(withLimitsNote(text, { isLimited: false })).toMatch(/Limits<\/h2><p class="notice">/);
  expect(withLimitsNote('<p>60 a minute</p>', { isLimited: false })).toMatch(/^<p class="notice">/);
  expect(withLimitsNote('<p>an hour later</p>', { isLimited: false })).toBe('<p>an hour later</p>');
});
