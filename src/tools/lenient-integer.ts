/** A whole number as a parameter that is never wrong: clamped, or its default where it is none. */
import * as z from 'zod';

/** Takes numbers and what reads as one; zero and everything else is the default (warned of by parse-parameters.ts). */
export const lenientInteger = (initial: number, least: number, most: number) =>
  z.preprocess((given) => {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof number !== 'number' || Number.isNaN(number) || number === 0) return initial;
    return Math.min(Math.max(Math.trunc(number), least), most);
  }, z.number().min(least).max(most).default(initial));
