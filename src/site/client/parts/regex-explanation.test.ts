/** Tests the explanation of each part of a regular expression. */
import { expect, it } from 'vitest';
import { explainRegex, type Part } from './regex-explanation.ts';

/** Returns the texts, indented by their depth. */
const lines = (parts: readonly Part[], indent = ''): string[] =>
  parts.flatMap(({ text, parts: inner }) => [indent + text, ...lines(inner, `${indent}  `)]);

function explained(pattern: string, flags = ''): string[] | string {
  const parts = explainRegex(pattern, flags);
  return typeof parts === 'string' ? parts : lines(parts);
}

it.each<[pattern: string, text: string, flags?: string]>([
  ['abc', 'the text "abc"'],
  ['Hello, world', 'the text "Hello, world"'],
  ['\\.', 'the character "."'],
  [' ', 'a space'],
  ['\\t', 'a tab'],
  ['"', 'a quotation mark'],
  ['\\u200b', 'the character U+200B'],
  ['\\ud83d', 'the character U+D83D'],
  ['😀', 'the character "😀"'],
  ['😀', 'the character "😀"', 'u'],
  ['.', 'any character except a line break'],
  ['.', 'any character', 's'],
  ['\\d', 'a digit'],
  ['\\D', 'any character except a digit'],
  ['\\s', 'a whitespace character'],
  ['\\W', 'any character except a word character (a to z, A to Z, 0 to 9 or _)'],
  ['\\p{L}', 'a letter of any language', 'u'],
  [
    '\\P{Script=Greek}',
    'any character except a character with the Unicode property Script=Greek',
    'u',
  ],
  ['\\p{RGI_Emoji}', 'a text with the Unicode property RGI_Emoji', 'v'],
  ['[abc]', 'one of "a", "b", or "c"'],
  ['[a-z\\d_]', 'one of "a" to "z", a digit, or "_"'],
  ['[a-z]', '"a" to "z"'],
  ['[^,\\n]', 'any character except "," or a line feed'],
  ['[]', 'a set without characters'],
  ['[^]', 'any character'],
  [
    '[\\w--[aeiou]]',
    'a word character (a to z, A to Z, 0 to 9 or _), but not (one of "a", "e", "i", "o", or "u")',
    'v',
  ],
  [
    '[\\p{L}&&\\p{Lu}]',
    'a letter of any language that is also an uppercase letter of any language',
    'v',
  ],
  ['[a\\q{bc|d}]', 'one of "a" or the text "bc" or the text "d"', 'v'],
  ['a+', 'the character "a", one or more times'],
  ['a*?', 'the character "a", zero or more times, as few as possible'],
  ['a?', 'the character "a", zero times or once'],
  ['\\d{4}', 'a digit, exactly 4 times'],
  ['\\d{1}', 'a digit, exactly once'],
  ['\\d{2,}', 'a digit, 2 or more times'],
  ['\\d{2,3}?', 'a digit, 2 to 3 times, as few as possible'],
  ['^', 'the start of the text'],
  ['$', 'the end of a line', 'm'],
  ['\\b', 'a word boundary'],
  ['\\B', 'a position that is not a word boundary'],
  ['', 'an empty expression, which matches at every position'],
])('explains %j as %j', (pattern, text, flags = '') => {
  const [first, ...others] = explained(pattern, flags);
  expect(first).toBe(text);
  expect(others).toHaveLength(flags === '' ? 0 : 2);
});

it.each<[pattern: string, lines: string[]]>([
  ['ab+c', ['the character "a"', 'the character "b", one or more times', 'the character "c"']],
  [
    '(?<year>\\d{4})-(\\d\\d)',
    [
      'group 1, named year',
      '  a digit, exactly 4 times',
      'the character "-"',
      'group 2',
      '  a digit',
      '  a digit',
    ],
  ],
  ['(?:ab)*', ['group without a number, zero or more times', '  the text "ab"']],
  [
    '(?i-s:a)',
    ['group without a number, with the flag i and without the flag s', '  the character "a"'],
  ],
  ['()', ['group 1, which is empty']],
  [
    'cat|(dogs?)|',
    [
      'alternative 1 of 3: the text "cat"',
      'alternative 2 of 3',
      '  group 1',
      '    the text "dog"',
      '    the character "s", zero times or once',
      'alternative 3 of 3: nothing',
    ],
  ],
  ['(?=a)', ['lookahead: this must follow', '  the character "a"']],
  ['(?!a)', ['lookahead: this must not follow', '  the character "a"']],
  ['(?<=a)', ['lookbehind: this must come before', '  the character "a"']],
  ['(?<!a)', ['lookbehind: this must not come before', '  the character "a"']],
  [
    '(?<q>a)\\1\\k<q>',
    [
      'group 1, named q',
      '  the character "a"',
      'the same text as group 1',
      'the same text as group q',
    ],
  ],
])('explains the parts of %j', (pattern, expected) => {
  expect(explained(pattern)).toEqual(expected);
});

it('shows the source of each part', () => {
  const parts = explainRegex('(?:\\.a){2}|b', '') as Part[];
  expect(parts.map(({ code }) => code)).toEqual(['(?:\\.a){2}', 'b']);
  expect(parts[0]!.parts[0]).toMatchObject({ code: '(?:\\.a){2}', parts: [{ code: '\\.a' }] });
});

it('explains the flags last', () => {
  expect(explained('a', 'gi')).toEqual([
    'the character "a"',
    'Flags',
    '  finds every match instead of the first one',
    '  ignores the difference between uppercase and lowercase',
  ]);
});

it.each<[name: string, pattern: string, flags: string, message: RegExp]>([
  ['10,000 groups', '('.repeat(10_000) + ')'.repeat(10_000), '', /nested too deeply/],
  ['10,000 sets', '['.repeat(10_000) + ']'.repeat(10_000), 'v', /nested too deeply/],
  ['a long expression', 'a|'.repeat(10_000), '', /too long/],
  ['an invalid expression', '(', '', /invalid/],
  ['an invalid flag', 'a', 'gg', /invalid/],
])('says why it does not explain %s', (_, pattern, flags, message) => {
  expect(explained(pattern, flags)).toMatch(message);
});

it('does not count escaped parentheses and those in sets as levels', () => {
  expect(explained(`${'\\('.repeat(50)}[${'('.repeat(50)}]`)).toHaveLength(2);
});
