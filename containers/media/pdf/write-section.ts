/** Writes objects and their cross-reference section (ISO 32000-1, section 7.5). */
import {
  dictionary,
  name,
  type PdfDictionary,
  type PdfReference,
  PdfStream,
  type PdfValue,
} from './objects.ts';
import { asciiBytes, serialize } from './serialize.ts';
import { flateStream } from './stream-data.ts';
import { deflate } from './zlib.ts';

const OBJECTS_PER_STREAM = 200;
/** The predictor for rows that begin with a PNG filter byte (section 7.4.4.4). */
const PNG_UP = 12;
/** The first entry of the free list, which every file contains once. */
const FREE_HEAD = '0000000000 65535 f\r\n';

export interface WrittenObject {
  number: number;
  generation: number;
  /** The serialized object. For a stream, this is its dictionary. */
  text: string;
  /** The encoded bytes, if the object is a stream. */
  data?: Uint8Array;
}

/** Serializes an object. `referenceText` formats references. */
export function writtenObject(
  number: number,
  generation: number,
  value: PdfValue,
  referenceText?: (reference: PdfReference) => string,
): WrittenObject {
  if (!(value instanceof PdfStream)) {
    return { number, generation, text: serialize(value, referenceText) };
  }
  const entries = new Map(value.dictionary).set('Length', value.encoded.length);
  return { number, generation, text: serialize(entries, referenceText), data: value.encoded };
}

export interface Section {
  objects: readonly WrittenObject[];
  /** The byte offset of the section in the file. */
  start: number;
  /** The first unused object number. */
  next: number;
  /** Whether to write object streams and a cross-reference stream instead of plain objects and a table. */
  compressed: boolean;
  /**
   * The trailer without Size. If Prev is missing, this is the only section of its file, and object numbers start at 1.
   */
  trailer: PdfDictionary;
}

type Entry =
  | { number: number; offset: number; generation: number }
  | { number: number; container: number; index: number };

/** Returns the section as several pieces. */
export function writeSection(section: Section): Uint8Array[] {
  const writer = new SectionWriter(section);
  return writer.write();
}

class SectionWriter {
  private readonly section: Section;
  private readonly pieces: Uint8Array[] = [];
  private readonly entries: Entry[] = [];
  private at: number;
  private next: number;

  constructor(section: Section) {
    this.section = section;
    this.at = section.start;
    this.next = section.next;
  }

  write(): Uint8Array[] {
    if (this.section.compressed) {
      this.writeCompressed();
      this.writeStream();
    } else {
      for (const object of this.section.objects) this.writePlain(object);
      this.writeTable();
    }
    return this.pieces;
  }

  private add(piece: string | Uint8Array): void {
    const bytes = typeof piece === 'string' ? asciiBytes(piece) : piece;
    this.pieces.push(bytes);
    this.at += bytes.length;
  }

  private allocate(): number {
    this.next += 1;
    return this.next - 1;
  }

  private writePlain({ number, generation, text, data }: WrittenObject): void {
    this.entries.push({ number, offset: this.at, generation });
    if (!data) {
      this.add(`${number} ${generation} obj\n${text}\nendobj\n`);
      return;
    }
    this.add(`${number} ${generation} obj\n${text}\nstream\n`);
    this.add(data);
    this.add('\nendstream\nendobj\n');
  }

  /** Writes objects to object streams where this is allowed (section 7.5.7), and all other objects directly. */
  private writeCompressed(): void {
    let batch: WrittenObject[] = [];
    for (const object of this.section.objects) {
      if (object.data || object.generation > 0) this.writePlain(object);
      else batch.push(object);
      if (batch.length < OBJECTS_PER_STREAM) continue;
      this.writeObjectStream(batch);
      batch = [];
    }
    if (batch.length > 0) this.writeObjectStream(batch);
  }

  private writeObjectStream(batch: readonly WrittenObject[]): void {
    const container = this.allocate();
    let head = '';
    let body = '';
    for (const [index, { number, text }] of batch.entries()) {
      head += `${number} ${body.length} `;
      body += `${text}\n`;
      this.entries.push({ number, container, index });
    }
    const entries = dictionary({ Type: name('ObjStm'), N: batch.length, First: head.length });
    const stream = flateStream(asciiBytes(head + body), entries);
    this.writePlain(writtenObject(container, 0, stream));
  }

  private trailer(): PdfDictionary {
    return new Map([['Size', this.next], ...this.section.trailer]);
  }

  private writeTable(): void {
    const offset = this.at;
    const whole = !this.section.trailer.has('Prev');
    let text = 'xref\n';
    for (const run of consecutive(this.entries)) {
      text += whole ? `0 ${run.length + 1}\n${FREE_HEAD}` : `${run[0]?.number} ${run.length}\n`;
      for (const entry of run) {
        if (!('offset' in entry)) continue;
        const location = String(entry.offset).padStart(10, '0');
        text += `${location} ${String(entry.generation).padStart(5, '0')} n\r\n`;
      }
    }
    this.add(`${text}trailer\n${serialize(this.trailer())}\nstartxref\n${offset}\n%%EOF\n`);
  }

  private writeStream(): void {
    const number = this.allocate();
    const offset = this.at;
    this.entries.push({ number, offset, generation: 0 });
    const runs = consecutive(this.entries);
    const rows = runs
      .flat()
      .map((entry) =>
        'offset' in entry ? [1, entry.offset, entry.generation] : [2, entry.container, entry.index],
      );
    const widths = [0, 1, 2].map((field) => bytesFor(rows.map((row) => row[field] ?? 0)));
    const columns = widths.reduce((sum, width) => sum + width, 0);
    const described = this.trailer()
      .set('Type', name('XRef'))
      .set('W', widths)
      .set(
        'Index',
        runs.flatMap((run) => [run[0]?.number ?? 0, run.length]),
      )
      .set('Filter', name('FlateDecode'))
      .set('DecodeParms', dictionary({ Predictor: PNG_UP, Columns: columns }));
    const data = deflate(differences(rows, widths, columns));
    this.writePlain(writtenObject(number, 0, new PdfStream(described, data)));
    this.add(`startxref\n${offset}\n%%EOF\n`);
  }
}

/** Returns the number of bytes needed to store the largest of these numbers. */
function bytesFor(numbers: readonly number[]): number {
  const largest = numbers.reduce((most, number) => Math.max(most, number), 1);
  return Math.ceil(Math.log2(largest + 1) / 8);
}

/** Returns the rows as big-endian fields. Each byte is the difference from the row above (PNG filter 2). */
function differences(
  rows: readonly number[][],
  widths: readonly number[],
  columns: number,
): Uint8Array {
  const result = new Uint8Array(rows.length * (columns + 1));
  let above = new Uint8Array(columns);
  for (const [index, row] of rows.entries()) {
    const own = new Uint8Array(columns);
    let end = 0;
    for (const [field, width] of widths.entries()) {
      end += width;
      let value = row[field] ?? 0;
      for (let at = end - 1; at >= end - width; at -= 1) {
        own[at] = value % 256;
        value = Math.floor(value / 256);
      }
    }
    const start = index * (columns + 1);
    result[start] = 2;
    for (let at = 0; at < columns; at += 1) {
      result[start + 1 + at] = (own[at] as number) - (above[at] as number);
    }
    above = own;
  }
  return result;
}

/** Sorts the entries by object number, and splits them at gaps. */
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
