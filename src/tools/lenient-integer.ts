/** Defines an integer parameter that is never refused. An invalid value is clamped or replaced by the default. */
import * as z from 'zod';

/**
 * Accepts numbers and numeric strings. Zero and all other values become the default, and parse-parameters.ts adds a
 * warning.
 */
export const lenientInteger = (initial: number, least: number, most: number) =>
  z.preprocess((given) => {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof number !== 'number' || Number.isNaN(number) || number === 0) return initial;
    return Math.min(Math.max(Math.trunc(number), least), most);
  }, z.number().min(least).max(most).default(initial));
