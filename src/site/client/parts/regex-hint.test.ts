import { expect, it } from 'vitest';
import { regexHint, withHint } from './regex-hint.ts';

it.each([
  ['(?i)abc', /only for a group, such as \(\?i:abc\)/],
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

it('ends the error with a period before a hint', () => {
  expect(withHint('Invalid group', 'Do this.')).toBe('Invalid group. Do this.');
  expect(withHint('Invalid group.', 'Do this.')).toBe('Invalid group. Do this.');
  expect(withHint('Invalid group', '')).toBe('Invalid group');
});
