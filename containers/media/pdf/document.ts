/** Opens a PDF file lazily. Objects are parsed on demand and within limits. */
import { pdfHeaderOffset } from '../../../src/lib/magic-bytes.ts';
import {
  COMPRESSED,
  type CrossReference,
  IN_USE,
  readCrossReference,
  streamAt,
} from './cross-reference.ts';
import {
  isDictionary,
  ObjectSource,
  PdfDamage,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './objects.ts';
import { Parser } from './parser.ts';
import { decodedStream } from './stream-data.ts';

/** The maximum total decoded size of a file's object streams, in bytes. */
const INFLATE_BUDGET = 256 * 1024 * 1024;
const OBJECT_STREAM_LIMIT = 64 * 1024 * 1024;
const MAX_OBJECTS_PER_STREAM = 1_000_000;
/** The maximum number of references in a chain. Real chains are short. */
const MAX_HOPS = 32;

interface ObjectStream {
  data: Uint8Array;
  /** Byte offsets in `data` by object number. */
  offsets: Map<number, number>;
}

export class PdfDocument extends ObjectSource {
  /** The bytes of the file, starting at its header. All offsets are relative to the header. */
  readonly bytes: Uint8Array;
  readonly crossReference: CrossReference;
  private readonly objects = new Map<number, PdfValue>();
  private readonly objectStreams = new Map<number, ObjectStream>();
  private readonly opening = new Set<number>();
  private budget = INFLATE_BUDGET;

  /** Opens a file, but reads only the cross-reference sections. Throws PdfDamage. */
  constructor(bytes: Uint8Array) {
    super();
    const offset = pdfHeaderOffset(bytes);
    if (offset < 0) throw new PdfDamage('there is no %PDF- header');
    this.bytes = offset === 0 ? bytes : bytes.subarray(offset);
    this.crossReference = readCrossReference(this.bytes);
  }

  get trailer(): PdfDictionary {
    return this.crossReference.trailer;
  }

  /** Returns the document catalog (section 7.7.2) and its reference. Throws PdfDamage. */
  get catalog(): { reference: PdfReference; dictionary: PdfDictionary } {
    const reference = this.trailer.get('Root');
    const dictionary = this.dictionary(reference);
    if (!(reference instanceof PdfReference) || !dictionary) {
      throw new PdfDamage('there is no document catalog');
    }
    return { reference, dictionary };
  }

  override resolve(value: PdfValue | undefined): PdfValue {
    let current = value ?? null;
    for (let hops = 0; current instanceof PdfReference; hops += 1) {
      if (hops > MAX_HOPS) throw new PdfDamage('a chain of references is too long');
      current = this.isStale(current) ? null : this.object(current.number);
    }
    return current;
  }

  /**
   * Whether the reference's generation differs from the object's. Such a reference resolves to null (section 7.3.10).
   */
  isStale({ number, generation }: PdfReference): boolean {
    const kind = this.crossReference.kind(number);
    if (kind === COMPRESSED) return generation !== 0;
    return kind === IN_USE && generation !== this.crossReference.detail(number);
  }

  /** Whether the cross-reference table contains an object with this number. The object itself is not read. */
  has(number: number): boolean {
    const kind = this.crossReference.kind(number);
    return kind === IN_USE || kind === COMPRESSED;
  }

  private object(number: number): PdfValue {
    const known = this.objects.get(number);
    if (known !== undefined) return known;
    // Objects may form a cycle. For example, a Length or an object stream may refer to itself.
    if (this.opening.has(number)) throw new PdfDamage('an object depends on itself');
    this.opening.add(number);
    try {
      const value = this.read(number);
      this.objects.set(number, value);
      return value;
    } finally {
      this.opening.delete(number);
    }
  }

  private read(number: number): PdfValue {
    const table = this.crossReference;
    const kind = table.kind(number);
    if (kind === IN_USE) return this.readAt(number, table.offsetOf(number));
    if (kind === COMPRESSED) {
      return this.readCompressed(number, table.offsetOf(number));
    }
    return null;
  }

  private readAt(number: number, offset: number): PdfValue {
    const parser = new Parser(this.bytes, offset);
    const found = parser.integer();
    const generation = parser.integer();
    const isIt = found === number && generation === this.crossReference.detail(number);
    if (!isIt || !parser.keyword('obj')) {
      throw new PdfDamage(`object ${number} is not at the offset in the cross-reference table`);
    }
    if (parser.keyword('endobj')) return null;
    const value = parser.value();
    if (parser.keyword('endobj')) return value;
    if (!isDictionary(value)) throw new PdfDamage(`object ${number} has no end`);
    return streamAt(parser, value, this.resolve(value.get('Length')));
  }

  private readCompressed(number: number, container: number): PdfValue {
    const stream = this.objectStreams.get(container) ?? this.openObjectStream(container);
    const offset = stream.offsets.get(number);
    if (offset === undefined) throw new PdfDamage(`object ${number} is not in its object stream`);
    return new Parser(stream.data, offset).value();
  }

  private openObjectStream(container: number): ObjectStream {
    if (this.crossReference.kind(container) !== IN_USE) {
      throw new PdfDamage('an object stream is missing');
    }
    const stream = this.object(container);
    if (!(stream instanceof PdfStream)) throw new PdfDamage('an object stream is not a stream');
    const count = this.number(stream.dictionary.get('N'));
    const first = this.number(stream.dictionary.get('First'));
    if (count === undefined || first === undefined) {
      throw new PdfDamage('an object stream has no N or First');
    }
    if (count > MAX_OBJECTS_PER_STREAM) throw new PdfDamage('an object stream is too large');
    const data = this.decode(stream);
    const heads = objectHeads(data, count);
    if (heads.length < count) throw new PdfDamage('the header of an object stream is damaged');
    const offsets = new Map(heads.map(([number, offset]) => [number, first + offset]));
    const opened = { data, offsets };
    this.objectStreams.set(container, opened);
    return opened;
  }

  /** Returns the decoded bytes of an object stream, and subtracts their count from the file's budget. */
  private decode(stream: PdfStream): Uint8Array {
    const limit = Math.min(OBJECT_STREAM_LIMIT, this.budget);
    if (limit <= 0) throw new PdfDamage('the object streams are too large when decompressed');
    const data = decodedStream(this, stream, limit);
    this.budget -= data.length;
    return data;
  }
}

/**
 * Returns the numbers and relative offsets at the beginning of an object stream (section 7.5.7), up to the first
 * invalid one.
 */
export function objectHeads(data: Uint8Array, count: number): [number: number, offset: number][] {
  const parser = new Parser(data);
  const heads: [number, number][] = [];
  while (heads.length < count) {
    const number = parser.integer();
    const offset = parser.integer();
    if (number === undefined || offset === undefined) break;
    heads.push([number, offset]);
  }
  return heads;
}
