/** The values of a PDF file (ISO 32000-1, section 7.3), as plain TypeScript values and four small classes. */

/** A file that violates the standard or exceeds our limits. */
export class PdfDamage extends Error {
  override readonly name = 'PdfDamage';
}

/** Thrown for a stream whose data exceeds our limit. */
export class StreamTooLarge extends PdfDamage {
  constructor() {
    super('the stream data is too large');
  }
}

/** Returns the result of reading, or undefined if the file is damaged. */
export function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PdfDamage) return undefined;
    throw error;
  }
}

/** A name object without its slash and with #xx resolved; one character per byte. */
export class PdfName {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string object as its bytes; their meaning depends on the context. */
export class PdfString {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** An indirect reference, `12 0 R`. */
export class PdfReference {
  readonly number: number;
  readonly generation: number;
  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** A stream: its dictionary and its encoded bytes as in the file. */
export class PdfStream {
  readonly dictionary: PdfDictionary;
  readonly encoded: Uint8Array;
  constructor(dictionary: PdfDictionary, encoded: Uint8Array) {
    this.dictionary = dictionary;
    this.encoded = encoded;
  }
}

/** A dictionary object; keys without their slash. */
export type PdfDictionary = Map<string, PdfValue>;

export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | PdfStream
  | PdfDictionary
  | PdfValue[];

/** Resolves references, and reads the values that they refer to. */
export abstract class ObjectSource {
  /** Resolves a reference, and returns any other value itself; a missing object is null (section 7.3.10). */
  abstract resolve(value: PdfValue | undefined): PdfValue;

  /** Resolves a value to a dictionary; undefined if it is something else. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value);
    return isDictionary(resolved) ? resolved : undefined;
  }

  /** Resolves a value to an array; undefined if it is something else. */
  array(value: PdfValue | undefined): PdfValue[] | undefined {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : undefined;
  }

  /** Resolves a value to the items of an array, or to itself alone; none if it is missing. */
  list(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value);
    if (Array.isArray(resolved)) return resolved;
    return resolved === null || value === undefined ? [] : [value];
  }

  /**
   * Resolves a value to the numbers of an array; undefined unless it has exactly `count` items, all of them numbers.
   */
  numbers(value: PdfValue | undefined, count: number): number[] | undefined {
    const items = this.array(value)?.map((item) => this.resolve(item));
    const numbers = items?.filter((item) => typeof item === 'number');
    return items?.length === count && numbers?.length === count ? numbers : undefined;
  }

  /** Resolves a value to a number; undefined if it is something else. */
  number(value: PdfValue | undefined): number | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'number' ? resolved : undefined;
  }

  /** Resolves a value to the text of a name; undefined if it is something else. */
  name(value: PdfValue | undefined): string | undefined {
    const resolved = this.resolve(value);
    return resolved instanceof PdfName ? resolved.value : undefined;
  }

  /** Whether a value resolves to exactly this name. */
  isNamed(value: PdfValue | undefined, expected: string): boolean {
    return isNamed(this.resolve(value), expected);
  }
}

/** Without a document, references resolve to nothing. */
class Unresolved extends ObjectSource {
  override resolve(value: PdfValue | undefined): PdfValue {
    return value ?? null;
  }
}

export const UNRESOLVED: ObjectSource = new Unresolved();

export const name = (value: string) => new PdfName(value);

/** Returns a dictionary from key and value pairs, without undefined values. */
export function dictionary(entries: Record<string, PdfValue | undefined>): PdfDictionary {
  const result: PdfDictionary = new Map();
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined) result.set(key, value);
  }
  return result;
}

export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  value instanceof Map;

/** Whether it is a name object with exactly this value. */
export const isNamed = (value: PdfValue | undefined, expected: string): boolean =>
  value instanceof PdfName && value.value === expected;
