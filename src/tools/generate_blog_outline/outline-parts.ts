/** Finds the missing parts of an outline. Headings are classified by their numbers, their words and their positions. */
import { trimEnd } from '../../core/trim-end.ts';

interface Heading {
  text: string;
  line: number;
  /** The number of the section, if the heading contains one. */
  number: number | undefined;
}

const HEADING = /^(?:#{1,6}\s(.+)|\*\*([^*]+)\*\*:?|(\d+[.)]\s+\S.*))$/;
const NUMBER = /^(?:\p{L}+\s+)?(\d+)(?:[.):：、]|\s*[-–—])(?!\d)/u;
/** Matches a bullet, a smaller heading, or a numbered subsection. */
const SUBSECTION = /^(?:\s*(?:[-*+•]\s+\S|#{3,6}\s+\S|\d+\.\d+|[a-z][.)]\s)|\s{2,}\d+[.)]\s)/;

const WORDS = {
  introduction: /^\W*(?:\d+[.)]\s*)?(?:intro|einleit|einführ)/i,
  conclusion: /^\W*(?:\d+[.)]\s*)?(?:conclu|summary|wrap|closing|final|fazit|schluss)/i,
  faq: /faqs?\b|frequently|häufig|frecuentes|fréquente/i,
};

/** Returns descriptions of the missing parts for the model. The list is empty if the outline is complete. */
export function missingParts(outline: string, sections: number): string[] {
  const lines = outline.split('\n');
  const [title, ...headings] = headingsOf(lines);
  const found = classify(headings);
  const missing: string[] = [];
  if (!title || title.number !== undefined) missing.push('a title as "# Title"');
  if (!found.introduction) missing.push('an introduction');
  if (found.sections.length < sections) {
    missing.push(`${sections} numbered sections (there are ${found.sections.length})`);
  }
  if (found.sections.some((section) => !hasSubsections(section, headings, lines))) {
    missing.push('subsections in every section');
  }
  if (!found.conclusion) missing.push('a conclusion');
  if (!found.faq) missing.push('an FAQ block');
  return missing;
}

function headingsOf(lines: readonly string[]): Heading[] {
  return lines.flatMap((raw, line) => {
    const match = HEADING.exec(raw.trimEnd());
    const text = (withoutHashes(match?.[1]) ?? match?.[2] ?? match?.[3])
      ?.replaceAll('*', '')
      .trim();
    if (!text || /^\d+\.\d/.test(text)) return [];
    const number = NUMBER.exec(text)?.[1];
    return [{ text, line, number: number === undefined ? undefined : Number(number) }];
  });
}

const withoutHashes = (heading: string | undefined): string | undefined =>
  heading === undefined ? undefined : trimEnd(heading, '#');

/**
 * Finds the introduction, the conclusion and the FAQ by the words of their headings. If no heading has such words, uses
 * a heading before or after the numbered sections.
 */
function classify(headings: readonly Heading[]) {
  const named = (part: RegExp) => headings.find(({ text }) => part.test(text));
  let introduction = named(WORDS.introduction);
  let conclusion = named(WORDS.conclusion);
  let faq = named(WORDS.faq);
  const others = headings.filter((one) => ![introduction, conclusion, faq].includes(one));
  const sections = others.filter(
    ({ number }, index) =>
      number !== undefined && others.findIndex((other) => other.number === number) === index,
  );
  const plain = others.filter(({ number }) => number === undefined);
  const [first, last] = [sections[0]?.line ?? 0, sections.at(-1)?.line ?? Number.POSITIVE_INFINITY];
  introduction ??= plain.find(({ line }) => line < first);
  const behind = plain.filter(({ line }) => line > last);
  conclusion ??= behind[0];
  faq ??= behind.find((one) => one !== conclusion);
  return { introduction, conclusion, faq, sections };
}

function hasSubsections(section: Heading, headings: readonly Heading[], lines: readonly string[]) {
  const next = headings.find(
    ({ line, number, text }) =>
      line > section.line && (number !== undefined || !SUBSECTION.test(lines[line] ?? text)),
  );
  return lines.slice(section.line + 1, next?.line).some((line) => SUBSECTION.test(line));
}
