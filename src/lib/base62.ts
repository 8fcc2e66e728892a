/** Base 62: digits, upper case, lower case, in byte order. */
import { randomText } from './random-text.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A whole number with exactly `length` digits. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = DIGITS[rest % 62] + text;
  }
  return text;
}

export const randomBase62 = (length: number): string => randomText(DIGITS, length);
