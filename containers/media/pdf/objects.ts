/** Represents the values of a PDF file (ISO 32000-1, section 7.3) as plain TypeScript values and four small classes. */

/** Thrown for a file that violates the standard or exceeds our limits. */
export class PdfDamage extends Error {
  override readonly name = 'PdfDamage';
}

/** Thrown for a stream whose data exceeds our limit. */
export class StreamTooLarge extends PdfDamage {
  constructor() {
    super('the stream data is too large');
  }
}

/** Returns the result of `read`, or undefined if the file is damaged. */
export function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PdfDamage) return undefined;
    throw error;
  }
}

/** A name object without its slash and with `#xx` decoded. Each character is one byte. */
export class PdfName {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** The bytes of a string object. Their meaning depends on the context. */
export class PdfString {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** An indirect reference, such as `12 0 R`. */
export class PdfReference {
  readonly number: number;
  readonly generation: number;
  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** A stream, with its dictionary and its bytes as encoded in the file. */
export class PdfStream {
  readonly dictionary: PdfDictionary;
  readonly encoded: Uint8Array;
  constructor(dictionary: PdfDictionary, encoded: Uint8Array) {
    this.dictionary = dictionary;
    this.encoded = encoded;
  }
}

/** A dictionary object. Keys have no slash. */
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
  /** Resolves a reference. Returns any other value unchanged, and null for a missing object (section 7.3.10). */
  abstract resolve(value: PdfValue | undefined): PdfValue;

  /** Returns a dictionary, or undefined if the value resolves to something else. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value);
    return isDictionary(resolved) ? resolved : undefined;
  }

  /** Returns an array, or undefined if the value resolves to something else. */
  array(value: PdfValue | undefined): PdfValue[] | undefined {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : undefined;
  }

  /** Returns the items of an array. Returns a single value as one item, and no items if the value is missing. */
  list(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value);
    if (Array.isArray(resolved)) return resolved;
    return resolved === null || value === undefined ? [] : [value];
  }

  /** Returns the numbers in an array, or undefined if the value is not an array of exactly `count` numbers. */
  numbers(value: PdfValue | undefined, count: number): number[] | undefined {
    const items = this.array(value)?.map((item) => this.resolve(item));
    const numbers = items?.filter((item) => typeof item === 'number');
    return items?.length === count && numbers?.length === count ? numbers : undefined;
  }

  /** Returns a number, or undefined if the value resolves to something else. */
  number(value: PdfValue | undefined): number | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'number' ? resolved : undefined;
  }

  /** Returns the text of a name, or undefined if the value resolves to something else. */
  name(value: PdfValue | undefined): string | undefined {
    const resolved = this.resolve(value);
    return resolved instanceof PdfName ? resolved.value : undefined;
  }

  /** Whether the value resolves to exactly this name. */
  isNamed(value: PdfValue | undefined, expected: string): boolean {
    return isNamed(this.resolve(value), expected);
  }
}

/** Leaves every reference unresolved, because there is no document. */
class Unresolved extends ObjectSource {
  override resolve(value: PdfValue | undefined): PdfValue {
    return value ?? null;
  }
}

export const UNRESOLVED: ObjectSource = new Unresolved();

export const name = (value: string) => new PdfName(value);

/** Returns a dictionary with these entries, except those that are undefined. */
export function dictionary(entries: Record<string, PdfValue | undefined>): PdfDictionary {
  const result: PdfDictionary = new Map();
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined) result.set(key, value);
  }
  return result;
}

export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  value instanceof Map;

/** Whether the value is a name object with exactly this text. */
export const isNamed = (value: PdfValue | undefined, expected: string): boolean =>
  value instanceof PdfName && value.value === expected;
