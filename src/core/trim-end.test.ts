import { expect, it } from 'vitest';
import { canonicalPath, trimEnd } from './trim-end.ts';

it('takes characters from the end only, and white space where it is told to', () => {
  expect(trimEnd('//a//b///', '/')).toBe('//a//b');
  expect(trimEnd('///', '/')).toBe('');
  expect(trimEnd('', '/')).toBe('');
  expect(trimEnd('a b. ,:', ',;:.')).toBe('a b. ');
  expect(trimEnd('a b. ,:\n', ',;:.', true)).toBe('a b');
});

it('gives a path one slash in front and none at its end', () => {
  expect(canonicalPath('//a/b//')).toBe('/a/b');
  expect(canonicalPath('a')).toBe('/a');
  expect(canonicalPath('///')).toBe('/');
});
