/** The Porter stemmer (M. F. Porter, 1980, "An algorithm for suffix stripping"), as SQLite's `porter` has it. */

const CONSONANT = '(?:[^aeiouy]|(?<![^aeiou])y|^y)';
const VOWEL = '(?:[aeiou]|(?<=[^aeiou])y)';

/** Where a sequence of vowels is followed by one of consonants: the m of the paper counts these places. */
const MEASURE = new RegExp(VOWEL + CONSONANT, 'g');
const HAS_VOWEL = new RegExp(VOWEL);
const SHORT = /[^aeiou][aeiouy][^aeiouwxy]$/;
const DOUBLE = /([^aeiou])\1$/;

const measure = (stem: string): number => stem.match(MEASURE)?.length ?? 0;

const STEP_2: [string, string][] = Object.entries({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  logi: 'log',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
});
const STEP_3: [string, string][] = Object.entries({
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
});
const STEP_4 =
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(' ');

/** The stem of a word in lower case; words that are not English come back nearly as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let result = plural(word);
  result = pastAndProgressive(result);
  if (/y$/.test(result) && HAS_VOWEL.test(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  result = replaceFirst(result, STEP_2);
  result = replaceFirst(result, STEP_3);
  result = withoutSuffix(result);
  return tidy(result);
}

function plural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const base = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (!base || !HAS_VOWEL.test(base)) return word;
  if (/(at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLE.test(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && SHORT.test(base) ? `${base}e` : base;
}

function replaceFirst(word: string, suffixes: readonly [string, string][]): string {
  const longest = suffixes
    .filter(([suffix]) => word.endsWith(suffix))
    .sort(([one], [other]) => other.length - one.length)[0];
  if (!longest) return word;
  const base = word.slice(0, -longest[0].length);
  return measure(base) > 0 ? base + longest[1] : word;
}

function withoutSuffix(word: string): string {
  const suffix = STEP_4.filter((ending) => word.endsWith(ending)).sort(
    (one, other) => other.length - one.length,
  )[0];
  if (!suffix) return word;
  const base = word.slice(0, -suffix.length);
  if (measure(base) < 2 || (suffix === 'ion' && !/[st]$/.test(base))) return word;
  return base;
}

function tidy(word: string): string {
  let result = word;
  if (result.endsWith('e')) {
    const base = result.slice(0, -1);
    const size = measure(base);
    if (size > 1 || (size === 1 && !SHORT.test(base))) result = base;
  }
  return /ll$/.test(result) && measure(result) > 1 ? result.slice(0, -1) : result;
}
