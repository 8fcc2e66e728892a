import { expect, it } from 'vitest';
import { canonicalPath, trimEnd } from './trim-end.ts';

it('trimEnd removes characters only from the end, and white space if requested', () => {
  expect(trimEnd('//a//b///', '/')).toBe('//a//b');
  expect(trimEnd('///', '/')).toBe('');
  expect(trimEnd('', '/')).toBe('');
  expect(trimEnd('a b. ,:', ',;:.')).toBe('a b. ');
  expect(trimEnd('a b. ,:\n', ',;:.', true)).toBe('a b');
});

it('a path gets one leading slash and no trailing slash', () => {
  expect(canonicalPath('//a/b//')).toBe('/a/b');
  expect(canonicalPath('a')).toBe('/a');
  expect(canonicalPath('///')).toBe('/');
});
