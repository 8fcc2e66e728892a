/** Appends changed and new objects to a valid file without changing its existing bytes (ISO 32000-1, section 7.5.6). */
import type { PdfDocument } from './document.ts';
import { isDictionary, type PdfDictionary, PdfReference, type PdfValue } from './objects.ts';
import { writeSection, writtenObject } from './write-section.ts';

/** A line break precedes the update, because the file may not end with one. */
const LINE_END = Uint8Array.of(10);

export class IncrementalUpdate {
  private readonly document: PdfDocument;
  private readonly values = new Map<number, PdfValue>();
  private readonly generations = new Map<number, number>();
  private next: number;

  constructor(document: PdfDocument) {
    this.document = document;
    const size = document.trailer.get('Size');
    this.next = Math.max(document.crossReference.size, typeof size === 'number' ? size : 0, 1);
  }

  /** Returns a copy of the current catalog, with its reference. Throws PdfDamage. */
  get catalog(): { reference: PdfReference; dictionary: PdfDictionary } {
    const { reference, dictionary } = this.document.catalog;
    const current = this.current(reference);
    return { reference, dictionary: new Map(isDictionary(current) ? current : dictionary) };
  }

  /** The number of new and changed objects. */
  get size(): number {
    return this.values.size;
  }

  /** Returns a reference that no object uses. */
  allocate(): PdfReference {
    const reference = new PdfReference(this.next, 0);
    this.next += 1;
    return reference;
  }

  set(reference: PdfReference, value: PdfValue): void {
    this.values.set(reference.number, value);
    this.generations.set(reference.number, reference.generation);
  }

  add(value: PdfValue): PdfReference {
    const reference = this.allocate();
    this.set(reference, value);
    return reference;
  }

  /** Returns the value of an object after this update. This is the changed value if there is one. */
  current(reference: PdfReference): PdfValue {
    if (this.isStale(reference)) return null;
    const changed = this.values.get(reference.number);
    return changed === undefined ? this.document.resolve(reference) : changed;
  }

  isStale(reference: PdfReference): boolean {
    return this.document.isStale(reference);
  }

  /** Returns the bytes to append to `document.bytes`. */
  build(): Uint8Array {
    const { bytes, crossReference, trailer: old } = this.document;
    const trailer: PdfDictionary = new Map();
    for (const key of ['Root', 'Info', 'ID', 'Encrypt']) {
      const value = old.get(key);
      if (value !== undefined) trailer.set(key, value);
    }
    trailer.set('Prev', crossReference.start);
    const objects = [...this.values].map(([number, value]) =>
      writtenObject(number, this.generations.get(number) ?? 0, value),
    );
    const section = {
      objects,
      start: bytes.length + LINE_END.length,
      next: this.next,
      compressed: crossReference.isStream,
      trailer,
    };
    return Buffer.concat([LINE_END, ...writeSection(section)]);
  }
}
