/** Detects text in a language that OCR was not told to expect. */
import {
  OCR_LANGUAGES,
  type OcrLanguage,
} from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { namedPages } from '../named-pages.ts';

/**
 * Frequent words of four languages. Words with accents are omitted, because OCR for another language loses accents.
 * Nearly all of these words are rare in the other three languages.
 */
const FREQUENT: Partial<Record<OcrLanguage, ReadonlySet<string>>> = {
  eng: new Set(
    'the and of that with for this from are was not have you which been their'.split(' '),
  ),
  deu: new Set(
    'der das und ist nicht mit von ein eine auf dem sich auch werden wird oder'.split(' '),
  ),
  fra: new Set('le les et est une dans pour qui sur pas du par au avec sont cette'.split(' ')),
  spa: new Set('el los las por con una del como este esta pero sus ser fue hasta sobre'.split(' ')),
};

/** A text with fewer words may quote another language. */
const FEWEST_WORDS = 30;
/** The minimum share of a language's frequent words in a text of that language. The share is usually about a fifth. */
const MIN_SHARE = 0.06;
/** The minimum ratio of the frequent words of the other language to those of the languages that OCR expected. */
const MIN_RATIO = 3;

/**
 * Returns a warning for each language that the pages seem to be in but that is not one of `languages`. `numbers` are
 * the page numbers of the texts.
 */
export function otherLanguageWarnings(
  texts: readonly string[],
  languages: readonly OcrLanguage[],
  numbers: readonly number[] = texts.map((_, index) => index + 1),
): string[] {
  const whole = otherLanguage(texts.join('\n'), languages);
  if (whole) return [warning('The text', whole)];
  const pages = texts.map((text) => otherLanguage(text, languages));
  const found = [...new Set(pages)].filter((language) => language !== undefined);
  return found.map((language) =>
    warning(`${namedPages(numbers.filter((_, at) => pages[at] === language))}: the text`, language),
  );
}

const warning = (what: string, language: OcrLanguage) =>
  `${what} looks like ${OCR_LANGUAGES[language]}. Run again with \`language: "${language}"\`.`;

/** Returns the language that a text seems to be in, or undefined if it is unknown or one of `languages`. */
function otherLanguage(text: string, languages: readonly OcrLanguage[]): OcrLanguage | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < FEWEST_WORDS) return undefined;
  const countOf = (language: OcrLanguage) =>
    words.filter((word) => FREQUENT[language]?.has(word)).length;
  const [best] = (Object.keys(FREQUENT) as OcrLanguage[])
    .map((language) => ({ language, count: countOf(language) }))
    .toSorted((one, other) => other.count - one.count);
  const { language, count } = best!;
  const expected = Math.max(...languages.map(countOf));
  const isOther = count >= MIN_SHARE * words.length && count >= MIN_RATIO * expected;
  return isOther && !languages.includes(language) ? language : undefined;
}
