/** Marks the words of a query in a text. Words with the same stem match. */
import { stemsOf } from '../../content/terms.ts';

/** The capturing group keeps the words in the result of the split, at odd indices. */
const WORDS = /([\p{L}\p{M}\p{N}]+)/u;

export function Marked({ text, query }: { text: string; query: string }) {
  const stems = new Set(stemsOf(query));
  const isMatch = (word: string) => stemsOf(word).some((stem) => stems.has(stem));
  return (
    <>
      {text
        .split(WORDS)
        .map((part, index) => (index % 2 === 1 && isMatch(part) ? <mark>{part}</mark> : part))}
    </>
  );
}
