/** Explains syntax of other languages in a regular expression that was refused or found nothing. */

/** Syntax that JavaScript refuses. */
const REFUSED: [syntax: RegExp, hint: string][] = [
  [
    /^\(\?[a-z]+\)/,
    'JavaScript accepts flags in the pattern only for a group, such as (?i:abc). For the whole pattern, enter i as a flag.',
  ],
  [/\(\?>|[*+?}]\+/, 'JavaScript has no atomic groups and no possessive quantifiers.'],
  [/\(\?P</, 'JavaScript writes named groups as (?<name>…).'],
];

/** Syntax that has another meaning in JavaScript. */
const DIFFERENT: typeof REFUSED = [
  [/\\[AzZ]/, 'JavaScript reads \\A, \\z and \\Z as letters. Use ^ and $ without the flag m.'],
  [/\[\[:/, 'JavaScript has no POSIX classes. Use \\d, \\w or a range such as a-z.'],
];

/** Returns the hint for a pattern that was refused or found nothing, or an empty string if there is no hint. */
export const regexHint = (pattern: string, isRefused: boolean): string =>
  (isRefused ? REFUSED : DIFFERENT).find(([syntax]) => syntax.test(pattern))?.[1] ?? '';

/** Returns the error of a pattern and the hint as sentences. The errors of browsers have no final period. */
export const withHint = (error: string, hint: string): string =>
  hint === '' ? error : `${error.replace(/\.?$/, '.')} ${hint}`;
