/** The values of a PDF file (ISO 32000-1, section 7.3), as plain TypeScript values and four small classes. */

/** A file that violates the standard or exceeds our limits. */
export class PdfDamage extends Error {
  override readonly name = 'PdfDamage';
}

/** A stream whose data is larger than we read. */
export class StreamTooLarge extends PdfDamage {
  constructor() {
    super('the data of a stream is too large');
  }
}

/** The result of reading; undefined if the file is damaged. */
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

/** The part of a document that readers need: values behind references. */
export interface ObjectSource {
  /** The value itself, behind its reference if it is one; a missing object is null (section 7.3.10). */
  resolve(value: PdfValue | undefined): PdfValue;
}

export const name = (value: string) => new PdfName(value);

/** A dictionary from key and value pairs, without undefined values. */
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

/** The dictionary behind a value, or undefined. */
export function dictionaryAt(
  source: ObjectSource,
  value: PdfValue | undefined,
): PdfDictionary | undefined {
  const resolved = source.resolve(value);
  return isDictionary(resolved) ? resolved : undefined;
}

/** The array behind a value, or undefined. */
export function arrayAt(source: ObjectSource, value: PdfValue | undefined): PdfValue[] | undefined {
  const resolved = source.resolve(value);
  return Array.isArray(resolved) ? resolved : undefined;
}
