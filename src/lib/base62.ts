/** Base 62: digits, upper case, lower case, in the order of their bytes. */
import { randomText } from './random-text.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A whole number in exactly `length` digits. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = DIGITS[rest % 62] + text;
  }
  return text;
}

export const randomBase62 = (length: number): string => randomText(DIGITS, length);
