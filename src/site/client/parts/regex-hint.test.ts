import { expect, it } from 'vitest';
import { regexHint } from './regex-hint.ts';

it.each([
  ['(?i)abc', /flags/],
  ['\\Aabc\\z', /as letters/],
  ['a++', /possessive/],
  ['(?>a)', /atomic/],
  ['(?P<year>\\d+)', /\(\?<name>/],
  ['[[:alpha:]]', /POSIX/],
])('explains %j', (pattern, hint) => {
  expect(regexHint(pattern)).toMatch(hint);
});

it.each(['(?<year>\\d+)', 'a+', '(?:a)+b', '[a-z]'])('says nothing about %j', (pattern) => {
  expect(regexHint(pattern)).toBe('');
});
