/** Documents of invented words, as frequent as words of a language are, for figures about many of them. */
import { generator } from '../../src/content/latent.ts';
import type { ContentDocument } from '../../src/core/content.ts';

const WORDS = 20_000;
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ');
const PASSAGES = 5;
const PASSAGE_WORDS = 60;

/** A word for each number; never the same. */
function wordOf(number: number): string {
  let [rest, word] = [number, ''];
  do {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return `${word}n`;
}

/** Zipf's law: the frequency of a word is one over its rank. */
const pick = (random: () => number) => Math.floor(WORDS ** random()) - 1;

const text = (words: number, random: () => number) =>
  Array.from({ length: words }, () => wordOf(pick(random))).join(' ');

export function generatedDocuments(passages: number): ContentDocument[] {
  const random = generator(passages);
  return Array.from({ length: passages / PASSAGES }, (_, number) => ({
    path: `/blog/generated-${number}`,
    section: 'Blog',
    title: text(4, random),
    description: text(12, random),
    tags: [wordOf(pick(random))],
    publishedAt: '2026-11-21T00:00:00.000Z',
    updatedAt: '2026-11-21T00:00:00.000Z',
    markdown: Array.from(
      { length: PASSAGES },
      () => `## ${text(3, random)}\n\n${text(PASSAGE_WORDS, random)}`,
    ).join('\n\n'),
  }));
}

/** Questions of six words each, some frequent, some rare. */
export function generatedQuestions(number: number): string[] {
  const random = generator(99);
  return Array.from({ length: number }, () => text(6, random));
}
