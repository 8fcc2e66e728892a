/** Splits words that visitors type without spaces, such as `heictojpg`. */
import { wordsOf } from '../../content/terms.ts';
import type { Entry } from './ranking.ts';

/** Words that connect other words. They have no meaning by themselves, so no entry contains them. */
const BETWEEN = ['to', '2', 'in', 'into', 'from', 'and'];
/** Shorter words occur by chance within others. */
const SHORTEST_PART = 3;
const SHORTEST_JOINED = 6;
const LONGEST_JOINED = 40;

/** Returns the query in which each unknown word is split into words of the entries, if possible. */
export function divided(query: string, entries: readonly Entry[]): string {
  const known = new Set(entries.flatMap(({ words }) => words.join(' ').split(' ')));
  return wordsOf(query)
    .map((word) => (known.has(word) ? word : (partsOf(word, known)?.join(' ') ?? word)))
    .join(' ');
}

/** Returns the fewest known words that form the joined word, or undefined. Runs in quadratic time. */
function partsOf(joined: string, known: ReadonlySet<string>): string[] | undefined {
  if (joined.length < SHORTEST_JOINED || joined.length > LONGEST_JOINED) return;
  /** For each prefix of the joined word, by its length, the shortest list of words that form it. */
  const beginnings: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= joined.length; end += 1) {
    for (let start = 0; start < end; start += 1) {
      const before = beginnings[start];
      const part = joined.slice(start, end);
      if (!before || !isPart(part, start > 0 && end < joined.length, known)) continue;
      if (before.length + 1 < (beginnings[end]?.length ?? Number.POSITIVE_INFINITY))
        beginnings[end] = [...before, part];
    }
  }
  return beginnings[joined.length];
}

const isPart = (part: string, isBetween: boolean, known: ReadonlySet<string>): boolean =>
  (part.length >= SHORTEST_PART && (known.has(part) || known.has(part.replace(/s$/, '')))) ||
  (isBetween && BETWEEN.includes(part));
