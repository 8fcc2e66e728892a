/** Explains syntax of other languages in a regular expression that found nothing. */

const HINTS: [syntax: RegExp, hint: string][] = [
  [
    /^\(\?[a-z]+\)/,
    'In JavaScript, letters such as i are not part of the pattern. Enter them as flags.',
  ],
  [/\\[AzZ]/, 'JavaScript reads \\A, \\z and \\Z as letters. Use ^ and $ without the flag m.'],
  [/\(\?>|[*+?}]\+/, 'JavaScript has no atomic groups and no possessive quantifiers.'],
  [/\(\?P</, 'JavaScript writes named groups as (?<name>…).'],
  [/\[\[:/, 'JavaScript has no POSIX classes. Use \\d, \\w or a range such as a-z.'],
];

/** Returns the hint for the first such syntax in the pattern, or an empty string. */
export const regexHint = (pattern: string): string =>
  HINTS.find(([syntax]) => syntax.test(pattern))?.[1] ?? '';
