import { expect, it } from 'vitest';
import { regexHint } from './regex-hint.ts';

it.each([
  ['(?i)abc', /flags/],
  ['a++', /possessive/],
  ['(?>a)', /atomic/],
  ['(?P<year>\\d+)', /\(\?<name>/],
])('explains why %j is refused', (pattern, hint) => {
  expect(regexHint(pattern, true)).toMatch(hint);
});

it.each([
  ['\\Aabc\\z', /as letters/],
  ['[[:alpha:]]', /POSIX/],
])('explains why %j may find nothing', (pattern, hint) => {
  expect(regexHint(pattern, false)).toMatch(hint);
});

it.each(['(?<year>\\d+)', 'a+', '(?:a)+b', '[a-z]', '\\++', '[*+/-]'])(
  'says nothing about %j',
  (pattern) => {
    expect(regexHint(pattern, false)).toBe('');
  },
);
