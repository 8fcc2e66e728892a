/** Converts numbers to base 62. The digits are 0–9, A–Z and a–z, in byte order. */
import { randomText } from './random-text.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes an integer in exactly `length` digits. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = DIGITS[rest % 62] + text;
  }
  return text;
}

/**
 * Returns the `length` least significant base-62 digits of the little-endian number in `bytes`, the least significant
 * first.
 */
export function base62Of(bytes: Uint8Array, length: number): string {
  let rest = bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  let text = '';
  for (; text.length < length; rest /= 62n) text += DIGITS[Number(rest % 62n)];
  return text;
}

export const randomBase62 = (length: number): string => randomText(DIGITS, length);
