/** Appends changed and new objects to a well-formed file, leaving its bytes as they are (ISO 32000-1 §7.5.6). */
import type { PdfDocument } from './document.ts';
import {
  dictionary,
  name,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './objects.ts';
import { asciiBytes, serialize } from './serialize.ts';

/** zlib compression, as FlateDecode reads it. Node: `deflateSync`. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

const OBJECTS_PER_STREAM = 200;

type Entry =
  | { number: number; offset: number; generation: number }
  | { number: number; container: number; index: number };

/** Bytes of many pieces, counted as they come. */
class Pieces {
  readonly parts: Uint8Array[] = [];
  length = 0;
  add(piece: string | Uint8Array): void {
    const bytes = typeof piece === 'string' ? asciiBytes(piece) : piece;
    this.parts.push(bytes);
    this.length += bytes.length;
  }
  joined(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

export class IncrementalUpdate {
  private readonly document: PdfDocument;
  private readonly deflate: Deflate;
  private readonly values = new Map<number, PdfValue>();
  private readonly generations = new Map<number, number>();
  private next: number;

  constructor(document: PdfDocument, deflate: Deflate) {
    this.document = document;
    this.deflate = deflate;
    const size = document.trailer.get('Size');
    this.next = Math.max(document.crossReference.size, typeof size === 'number' ? size : 0, 1);
  }

  /** The number of objects to be written. */
  get size(): number {
    return this.values.size;
  }

  /** A reference that no object of the file has yet. */
  allocate(): PdfReference {
    const reference = new PdfReference(this.next, 0);
    this.next += 1;
    return reference;
  }

  /** Gives an object its new value. */
  set(reference: PdfReference, value: PdfValue): void {
    this.values.set(reference.number, value);
    this.generations.set(reference.number, reference.generation);
  }

  /** A new object. */
  add(value: PdfValue): PdfReference {
    const reference = this.allocate();
    this.set(reference, value);
    return reference;
  }

  /** The value as it will be: changed by this update, or as the file has it. */
  current(reference: PdfReference): PdfValue {
    const changed = this.values.get(reference.number);
    return changed === undefined ? this.document.resolve(reference) : changed;
  }

  /** What must stand behind the last byte of `document.bytes`. */
  build(): Uint8Array {
    const start = this.document.bytes.length;
    const out = new Pieces();
    out.add('\n');
    const entries: Entry[] = [];
    if (this.document.crossReference.isStream) {
      this.writeCompressed(out, start, entries);
      this.writeStreamSection(out, start, entries);
    } else {
      for (const [number, value] of this.values)
        this.writePlain(out, start, entries, number, value);
      this.writeTableSection(out, start, entries);
    }
    return out.joined();
  }

  private writePlain(
    out: Pieces,
    start: number,
    entries: Entry[],
    number: number,
    value: PdfValue,
  ): void {
    const generation = this.generations.get(number) ?? 0;
    entries.push({ number, offset: start + out.length, generation });
    out.add(`${number} ${generation} obj\n`);
    if (value instanceof PdfStream) {
      const entriesOfStream = new Map(value.dictionary).set('Length', value.encoded.length);
      out.add(`${serialize(entriesOfStream)}\nstream\n`);
      out.add(value.encoded);
      out.add('\nendstream\nendobj\n');
    } else out.add(`${serialize(value)}\nendobj\n`);
  }

  /** What may stand in object streams goes there (§7.5.7), the rest plainly. */
  private writeCompressed(out: Pieces, start: number, entries: Entry[]): void {
    let batch: [number, string][] = [];
    const flush = () => {
      if (batch.length === 0) return;
      const container = this.allocate();
      let head = '';
      let body = '';
      for (const [index, [number, text]] of batch.entries()) {
        head += `${number} ${body.length} `;
        body += `${text}\n`;
        entries.push({ number, container: container.number, index });
      }
      const stream = new PdfStream(
        dictionary({
          Type: name('ObjStm'),
          N: batch.length,
          First: head.length,
          Filter: name('FlateDecode'),
        }),
        this.deflate(asciiBytes(head + body)),
      );
      this.writePlain(out, start, entries, container.number, stream);
      batch = [];
    };
    for (const [number, value] of this.values) {
      if (value instanceof PdfStream || (this.generations.get(number) ?? 0) > 0) {
        this.writePlain(out, start, entries, number, value);
      } else {
        batch.push([number, serialize(value)]);
        if (batch.length === OBJECTS_PER_STREAM) flush();
      }
    }
    flush();
  }

  private trailerEntries(size: number): PdfDictionary {
    const { trailer, crossReference } = this.document;
    const entries: PdfDictionary = new Map([['Size', size]]);
    for (const key of ['Root', 'Info', 'ID', 'Encrypt']) {
      const value = trailer.get(key);
      if (value !== undefined) entries.set(key, value);
    }
    return entries.set('Prev', crossReference.start);
  }

  private writeTableSection(out: Pieces, start: number, entries: Entry[]): void {
    const offset = start + out.length;
    out.add('xref\n');
    let text = '';
    for (const run of consecutive(entries)) {
      text += `${run[0]?.number ?? 0} ${run.length}\n`;
      for (const entry of run) {
        if (!('offset' in entry)) continue;
        const place = String(entry.offset).padStart(10, '0');
        text += `${place} ${String(entry.generation).padStart(5, '0')} n\r\n`;
      }
    }
    out.add(text);
    out.add(`trailer\n${serialize(this.trailerEntries(this.next))}\n`);
    out.add(`startxref\n${offset}\n%%EOF\n`);
  }

  private writeStreamSection(out: Pieces, start: number, entries: Entry[]): void {
    const self = this.allocate();
    const offset = start + out.length;
    entries.push({ number: self.number, offset, generation: 0 });
    const runs = consecutive(entries);
    const rows = new Uint8Array(entries.length * 9);
    const view = new DataView(rows.buffer);
    let at = 0;
    for (const run of runs) {
      for (const entry of run) {
        const used = 'offset' in entry;
        view.setUint8(at, used ? 1 : 2);
        view.setUint32(at + 1, used ? entry.offset : entry.container);
        view.setUint32(at + 5, used ? entry.generation : entry.index);
        at += 9;
      }
    }
    const described = this.trailerEntries(this.next);
    described.set('Type', name('XRef'));
    described.set('W', [1, 4, 4]);
    described.set(
      'Index',
      runs.flatMap((run) => [run[0]?.number ?? 0, run.length]),
    );
    described.set('Filter', name('FlateDecode'));
    const encoded = this.deflate(rows);
    described.set('Length', encoded.length);
    out.add(`${self.number} 0 obj\n${serialize(described)}\nstream\n`);
    out.add(encoded);
    out.add(`\nendstream\nendobj\nstartxref\n${offset}\n%%EOF\n`);
  }
}

/** The entries by number, in runs without gaps. */
function consecutive(entries: readonly Entry[]): Entry[][] {
  const sorted = [...entries].sort((left, right) => left.number - right.number);
  const runs: Entry[][] = [];
  for (const entry of sorted) {
    const run = runs.at(-1);
    if (run && (run.at(-1)?.number ?? 0) + 1 === entry.number) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}
