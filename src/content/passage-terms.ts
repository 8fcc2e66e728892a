/** What a passage is about, in stems: its own words, and those of its place in its document. */
import type { ContentDocument } from '../core/content.ts';
import type { Counts } from './latent.ts';
import type { Passage } from './split-passages.ts';
import { termsOf } from './terms.ts';
import { otherWords } from './thesaurus.ts';

/** How much more the words of title, heading and tags count than those of the text. */
const WEIGHTS = { title: 3, heading: 2, also: 1, text: 1 };

/** Other words for what a document is about: its tags, its description, and what the thesaurus has for its names. */
export function alsoOf({ title, description, tags }: ContentDocument): string {
  const about = `${title} ${description} ${tags.join(' ')}`;
  return [tags.join(' '), description, otherWords(about).join(' ')].filter(Boolean).join(' \n ');
}

export function countsOf(title: string, also: string, { heading, text }: Passage): Counts {
  const counts = new Map<string, number>();
  const parts: [string, number][] = [
    [title, WEIGHTS.title],
    [heading, WEIGHTS.heading],
    [also, WEIGHTS.also],
    [text, WEIGHTS.text],
  ];
  for (const [part, weight] of parts) {
    for (const term of termsOf(part)) counts.set(term, (counts.get(term) ?? 0) + weight);
  }
  return counts;
}
