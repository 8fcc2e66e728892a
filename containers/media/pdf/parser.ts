/** Parses PDF objects one at a time, with a limit on their depth (ISO 32000-1, sections 7.2 and 7.3). */
import {
  PdfDamage,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfString,
  type PdfValue,
} from './objects.ts';

/** The maximum nesting depth. Real files do not exceed it, and deeper nesting could overflow the stack. */
const MAX_DEPTH = 100;

const WHITE_SPACE = 1;
const DELIMITER = 2;
/** The character class of each byte (section 7.2.2). */
const CLASS = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) CLASS[code] = WHITE_SPACE;
for (const character of '()<>[]{}/%') CLASS[character.charCodeAt(0)] = DELIMITER;

const ESCAPES: Record<number, number> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 };

const hexDigit = (code: number) => {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 70) return code - 55;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
};

const isDigit = (code: number | undefined): code is number =>
  code !== undefined && code >= 48 && code <= 57;

/** Equal names share one object, because a file may repeat a name thousands of times. */
const NAMES = new Map<string, PdfName>();
function interned(value: string): PdfName {
  const known = NAMES.get(value);
  if (known) return known;
  const made = new PdfName(value);
  if (NAMES.size < 2000) NAMES.set(value, made);
  return made;
}

/** A cursor over bytes. Every method reads from `position`, and moves it past the bytes that it has read. */
export class Parser {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  /** Skips white space and comments. */
  skipSpace(): void {
    const { bytes } = this;
    let at = this.position;
    for (;;) {
      const code = bytes[at];
      if (code === undefined) break;
      if (CLASS[code] === WHITE_SPACE) at += 1;
      else if (code === 37) {
        while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
      } else break;
    }
    this.position = at;
  }

  /** Skips white space and reads an exact keyword. Returns false without reading it if something else comes next. */
  keyword(word: string): boolean {
    this.skipSpace();
    for (let index = 0; index < word.length; index += 1) {
      if (this.bytes[this.position + index] !== word.charCodeAt(index)) return false;
    }
    this.position += word.length;
    return true;
  }

  /**
   * Skips white space and reads a non-negative integer. Returns undefined if something else comes next. Throws
   * PdfDamage if the integer is too large.
   */
  integer(): number | undefined {
    this.skipSpace();
    const start = this.position;
    let value = 0;
    let code = this.bytes[this.position];
    while (isDigit(code)) {
      value = value * 10 + code - 48;
      this.position += 1;
      code = this.bytes[this.position];
    }
    if (this.position === start) return undefined;
    if (value > Number.MAX_SAFE_INTEGER) throw new PdfDamage('a number is out of range');
    return value;
  }

  /** Returns the next object. Throws PdfDamage if the bytes at the position are not an object. */
  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new PdfDamage('objects are nested too deeply');
    this.skipSpace();
    const code = this.bytes[this.position];
    if (code === undefined) throw new PdfDamage('an object is cut off');
    if (isDigit(code) || code === 45 || code === 43 || code === 46) return this.number();
    switch (code) {
      case 47:
        return this.name();
      case 40:
        return this.literalString();
      case 91:
        return this.array(depth);
      case 60:
        return this.bytes[this.position + 1] === 60 ? this.dictionary(depth) : this.hexString();
      default:
        return this.word();
    }
  }

  private word(): PdfValue {
    if (this.keyword('null')) return null;
    if (this.keyword('true')) return true;
    if (this.keyword('false')) return false;
    throw new PdfDamage(`there is no object at byte ${this.position}`);
  }

  private number(): PdfValue {
    const { bytes } = this;
    const start = this.position;
    let at = start;
    let whole = 0;
    let code = bytes[at];
    while (isDigit(code)) {
      whole = whole * 10 + code - 48;
      at += 1;
      code = bytes[at];
    }
    if (at > start && code !== 46 && code !== 45) {
      this.position = at;
      return this.reference(whole) ?? whole;
    }
    while (code !== undefined && (isDigit(code) || code === 46 || code === 45 || code === 43)) {
      at += 1;
      code = bytes[at];
    }
    this.position = at;
    const text = String.fromCharCode(...bytes.subarray(start, Math.min(at, start + 64)));
    const value = Number.parseFloat(text.replace(/^([+-])[+-]+/, '$1'));
    // Readers treat `.`, `-` and similar tokens as 0.
    return Number.isFinite(value) ? value : 0;
  }

  /**
   * Reads `generation R`, which makes the object number before it a reference. Returns undefined if something else
   * comes next.
   */
  private reference(number: number): PdfReference | undefined {
    const { bytes } = this;
    let at = this.position;
    if (CLASS[bytes[at] ?? 40] !== WHITE_SPACE) return undefined;
    while (CLASS[bytes[at] ?? 40] === WHITE_SPACE) at += 1;
    let generation = 0;
    const start = at;
    let code = bytes[at];
    while (isDigit(code) && at - start < 6) {
      generation = generation * 10 + code - 48;
      at += 1;
      code = bytes[at];
    }
    if (at === start || CLASS[code ?? 40] !== WHITE_SPACE) return undefined;
    while (CLASS[bytes[at] ?? 40] === WHITE_SPACE) at += 1;
    if (bytes[at] !== 82) return undefined;
    const next = bytes[at + 1];
    if (next !== undefined && CLASS[next] === 0) return undefined;
    this.position = at + 1;
    return new PdfReference(number, generation);
  }

  private name(): PdfName {
    return interned(this.nameText());
  }

  private nameText(): string {
    const { bytes } = this;
    let at = this.position + 1;
    let text = '';
    for (;;) {
      const code = bytes[at];
      if (code === undefined || CLASS[code] !== 0) break;
      if (code === 35) {
        const high = hexDigit(bytes[at + 1] ?? 0);
        const low = hexDigit(bytes[at + 2] ?? 0);
        if (high >= 0 && low >= 0) {
          text += String.fromCharCode(high * 16 + low);
          at += 3;
          continue;
        }
      }
      text += String.fromCharCode(code);
      at += 1;
    }
    this.position = at;
    return text;
  }

  private array(depth: number): PdfValue[] {
    this.position += 1;
    const items: PdfValue[] = [];
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.position] === 93) {
        this.position += 1;
        return items;
      }
      items.push(this.value(depth + 1));
    }
  }

  private dictionary(depth: number): PdfDictionary {
    this.position += 2;
    const entries: PdfDictionary = new Map();
    for (;;) {
      this.skipSpace();
      const code = this.bytes[this.position];
      if (code === 62 && this.bytes[this.position + 1] === 62) {
        this.position += 2;
        return entries;
      }
      if (code !== 47) throw new PdfDamage('a dictionary has a key that is not a name');
      const key = this.nameText();
      entries.set(key, this.value(depth + 1));
    }
  }

  private hexString(): PdfString {
    const { bytes } = this;
    const result: number[] = [];
    let high = -1;
    for (let at = this.position + 1; ; at += 1) {
      const code = bytes[at];
      if (code === undefined) throw new PdfDamage('a string is cut off');
      if (code === 62) {
        if (high >= 0) result.push(high * 16);
        this.position = at + 1;
        return new PdfString(Uint8Array.from(result));
      }
      const digit = hexDigit(code);
      if (digit < 0) continue;
      if (high < 0) high = digit;
      else {
        result.push(high * 16 + digit);
        high = -1;
      }
    }
  }

  private literalString(): PdfString {
    const { bytes } = this;
    const start = this.position + 1;
    let depth = 1;
    let plain = true;
    let at = start;
    for (; ; at += 1) {
      const code = bytes[at];
      if (code === undefined) throw new PdfDamage('a string is cut off');
      if (code === 92) {
        plain = false;
        at += 1;
      } else if (code === 13) plain = false;
      else if (code === 40) depth += 1;
      else if (code === 41) {
        depth -= 1;
        if (depth === 0) break;
      }
    }
    this.position = at + 1;
    const inner = bytes.subarray(start, at);
    return new PdfString(plain ? inner : unescaped(inner));
  }
}

/** Decodes the escape sequences and normalizes the line endings of a literal string (section 7.3.4.2). */
function unescaped(inner: Uint8Array): Uint8Array {
  const result: number[] = [];
  for (let at = 0; at < inner.length; at += 1) {
    let code = inner[at] as number;
    if (code === 13) {
      if (inner[at + 1] === 10) at += 1;
      result.push(10);
      continue;
    }
    if (code !== 92) {
      result.push(code);
      continue;
    }
    at += 1;
    code = inner[at] ?? 10;
    if (code >= 48 && code <= 55) {
      let value = code - 48;
      for (let digits = 1; digits < 3; digits += 1) {
        const next = inner[at + 1] ?? 0;
        if (next < 48 || next > 55) break;
        value = value * 8 + next - 48;
        at += 1;
      }
      result.push(value & 255);
    } else if (code === 13) {
      if (inner[at + 1] === 10) at += 1;
    } else if (code !== 10) result.push(ESCAPES[code] ?? code);
  }
  return Uint8Array.from(result);
}
