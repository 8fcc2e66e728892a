/** Splits documents and questions into words and stems in the same way. */
import { stemmer } from 'stemmer';

/** The stop words, which are too common to be useful for a search. */
export const STOP: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could did do does doing don down during each else ever few for from further get gets getting give given
  gives go goes had has have having he her here hers him his how i if in into is isn it its itself just let like make
  makes may me might mine more most much must my myself need needs no nor not now of off on once one only or other
  our ours out over own per please put re s same say says see shall she should show so some something such t than
  that the their them then there these they thing things this those through to too under until up us use used uses
  using ve very want wants was we were what when where which while who whom whose why will with within without would
  yes you your yours`.split(/\s+/),
);

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_WORD = 64;

/** Returns the words in lower case, without accents. Words of more than 64 characters are dropped. */
export function wordsOf(text: string): string[] {
  const plain = text.toWellFormed().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain.match(WORD) ?? []).filter((word) => word.length <= MAX_WORD);
}

/** Returns the stems (Porter's algorithm) of all words except stop words, in order, with repetitions. */
export const stemsOf = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !STOP.has(word))
    .map(stemmer);
