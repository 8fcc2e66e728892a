/** Collects the objects that a new file needs from a document. Objects are renumbered in the new file. */
import type { IncrementalUpdate } from './incremental-update.ts';
import type { PdfReference, PdfValue } from './objects.ts';
import { type WrittenObject, writtenObject } from './write-section.ts';

/** Collects the objects of a new file. Adds and renumbers the objects to which written objects refer. */
export class WrittenObjects {
  readonly written: WrittenObject[] = [];
  next = 1;
  private readonly source: IncrementalUpdate;
  /** Maps object numbers in the document to object numbers in the new file. 0 means that the object is not included. */
  private readonly numbers = new Map<number, number>();
  private readonly found: [number, PdfValue][] = [];
  private readonly text = (reference: PdfReference): string => {
    const number = this.numberOf(reference);
    return number > 0 ? `${number} 0 R` : 'null';
  };

  constructor(source: IncrementalUpdate) {
    this.source = source;
  }

  number(reference: PdfReference, number: number): void {
    this.numbers.set(reference.number, number);
    this.next = Math.max(this.next, number + 1);
  }

  numberOf(reference: PdfReference): number {
    if (this.source.isStale(reference)) return 0;
    const known = this.numbers.get(reference.number);
    if (known !== undefined) return known;
    const value = this.source.current(reference);
    const number = value === null ? 0 : this.next;
    this.number(reference, number);
    if (value !== null) this.found.push([number, value]);
    return number;
  }

  write(number: number, value: PdfValue): void {
    this.written.push(writtenObject(number, 0, value, this.text));
  }

  /** Writes all objects to which written objects refer, directly or indirectly. */
  writeFound(): void {
    for (let next = this.found.pop(); next; next = this.found.pop()) this.write(...next);
  }
}
