/** Minifies JSON that is known to be valid. */

import {
  COLON,
  COMMA,
  isDigit,
  isSpace,
  MINUS,
  measureString,
  QUOTE,
  skipNumber,
  skipSpace,
} from './json-tokens.ts';
import type { Detours } from './open-keys.ts';
import { TextWriter } from './text-writer.ts';

export interface Minified {
  json: string;
  /**
   * The numbers whose value in the output differs from the input, because a double is not precise enough. `at` is the
   * offset of the first one.
   */
  rounded: { count: number; at: number };
}

/**
 * Removes white space, and writes strings and numbers as JSON.stringify writes them.
 *
 * @param keepsNumbers whether numbers stay as they are written in `text`
 */
export function minifyJson(
  text: string,
  { skip, replace }: Detours,
  keepsNumbers = false,
): Minified {
  const out = new TextWriter();
  const rounded = { count: 0, at: -1 };
  const hasDetours = replace.size > 0;
  const wellFormed = text.isWellFormed();
  const returns: { end: number; resume: number }[] = [];
  let stop = -1;
  let at = skipSpace(text, 0);
  // The start of the pending text, which ends at `at` and will be copied unchanged.
  let run = at;
  const goTo = (to: number) => {
    out.copy(text, run, at);
    at = to;
    run = to;
  };
  while (at < text.length) {
    if (at === stop) {
      goTo(returns.pop()?.resume as number);
      stop = returns.at(-1)?.end ?? -1;
      continue;
    }
    const c = text.charCodeAt(at);
    if (isSpace(c)) {
      goTo(skipSpace(text, at));
    } else if (c === QUOTE) {
      const { end, verbatim } = measureString(text, at);
      if (verbatim && wellFormed) {
        at = end;
      } else {
        out.copy(text, run, at);
        out.write(JSON.stringify(JSON.parse(text.slice(at, end))));
        at = run = end;
      }
    } else if (c === MINUS || isDigit(c)) {
      const end = skipNumber(text, at);
      if (!keepsNumbers && (end - at > 15 || !isPlainInteger(text, at, end))) {
        const number = text.slice(at, end);
        const written = writeNumber(number);
        if (!isSameNumber(number, written) && rounded.count++ === 0) rounded.at = at;
        out.copy(text, run, at);
        out.write(written);
        run = end;
      }
      at = end;
    } else if (hasDetours && c === COMMA) {
      const to = skip[at];
      if (to) goTo(to);
      else at++;
    } else if (hasDetours && c === COLON) {
      at++;
      const value = skipSpace(text, at);
      const detour = replace.get(value);
      if (detour) {
        goTo(detour.start);
        returns.push(detour);
        stop = detour.end;
      }
    } else {
      at++;
    }
  }
  out.copy(text, run, at);
  return { json: out.finish(), rounded };
}

/** Whether all characters between the two offsets are digits. */
function isPlainInteger(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isDigit(text.charCodeAt(i))) return false;
  return true;
}

/**
 * Returns a number as JavaScript writes it. A number beyond the range of a double is returned unchanged, although
 * JSON.stringify would write null.
 */
export function writeNumber(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) ? String(value) : text;
}

/** Whether the original number and the written number have the same value. */
const isSameNumber = (number: string, written: string): boolean =>
  number === written || significantDigits(number) === significantDigits(written);

/** Returns the digits of a number without its sign, its exponent, and zeros at the start and the end. */
function significantDigits(number: string): string {
  const digits = number.split(/e/i, 1)[0]!.replace(/[-.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
