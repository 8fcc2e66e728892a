/**
 * Provides HTML pages whose reading order is marked by hand. `data-order` numbers the elements in the order in which a
 * person reads them. The source order, which is also the drawing order, often differs. `data-words` sets the number of
 * generated words in an element.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OrderedPage {
  html: string;
  /** The words in reading order. */
  words: string[];
}

const FOLDER = join(import.meta.dirname, 'ordered-pages');
const SYLLABLES = 'ba co di fe gu la mi no pe ru sa to ve wi zu'.split(' ');
const SENTENCE = 11;
const FILLED = /(<(\w+)[^>]*data-words="(\d+)"[^>]*>)([^<]*)/g;
const ORDERED = /<(\w+)[^>]*data-order="(\d+)"[^>]*>([\s\S]*?)<\/\1>/g;

export const orderedPages = (): OrderedPage[] =>
  readdirSync(FOLDER).map((name) => {
    const html = filled(readFileSync(join(FOLDER, name), 'utf8'));
    const elements = [...html.matchAll(ORDERED)].map(([, , order, content = '']) => ({
      order: Number(order),
      words: wordsOf(content.replace(/<[^>]+>/g, ' ')),
    }));
    const words = elements.sort((a, b) => a.order - b.order).flatMap((element) => element.words);
    return { html, words };
  });

/** Returns the words of a text, without punctuation. */
export const wordsOf = (text: string): string[] =>
  text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Returns the share of adjacent word pairs that are also adjacent in the text. */
export function shareOfNeighbors(text: string, words: readonly string[]): number {
  const left = new Map<string, number>();
  for (const pair of pairsOf(wordsOf(text))) left.set(pair, (left.get(pair) ?? 0) + 1);
  const expected = pairsOf(words);
  const found = expected.filter((pair) => {
    const count = left.get(pair) ?? 0;
    left.set(pair, count - 1);
    return count > 0;
  });
  return found.length / expected.length;
}

const pairsOf = (words: readonly string[]) =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`);

/** Each generated word is unique within a page. */
function filled(html: string): string {
  let count = 0;
  const word = () => {
    count += 1;
    return syllables(count);
  };
  return html.replace(FILLED, (_, tag, __, length, start) => {
    const words = Array.from({ length: Number(length) }, (___, index) => {
      const isLast = index % SENTENCE === SENTENCE - 1 || index + 1 === Number(length);
      const next = word();
      const shown = index % SENTENCE === 0 ? next.charAt(0).toUpperCase() + next.slice(1) : next;
      return isLast ? `${shown}.` : shown;
    });
    return tag + start + words.join(' ');
  });
}

/** Returns a unique word for each number. */
function syllables(number: number): string {
  const last = SYLLABLES[(number - 1) % SYLLABLES.length]!;
  const rest = Math.floor((number - 1) / SYLLABLES.length);
  return rest > 0 ? syllables(rest) + last : last;
}
