/** Represents a document with pending changes, on which the compression steps operate. */
import type { PdfDocument } from '../document.ts';
import { IncrementalUpdate } from '../incremental-update.ts';
import {
  isDictionary,
  ObjectSource,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../objects.ts';
import { identifiers, wholeFile } from '../whole-file.ts';
import { WrittenObjects } from '../written-objects.ts';

const MAX_HOPS = 32;

export class Draft extends ObjectSource {
  readonly document: PdfDocument;
  private readonly update: IncrementalUpdate;

  constructor(document: PdfDocument) {
    super();
    this.document = document;
    this.update = new IncrementalUpdate(document);
  }

  override resolve(value: PdfValue | undefined): PdfValue {
    let current = value ?? null;
    for (let hops = 0; current instanceof PdfReference; hops += 1) {
      if (hops > MAX_HOPS) return null;
      current = this.update.current(current);
    }
    return current;
  }

  set(reference: PdfReference, value: PdfValue): void {
    this.update.set(reference, value);
  }

  add(value: PdfValue): PdfReference {
    return this.update.add(value);
  }

  /**
   * Returns every object that is reachable from the trailer, with its current value. Throws
   * PdfDamage.
   */
  objects(): [PdfReference, PdfValue][] {
    const found: [PdfReference, PdfValue][] = [];
    const seen = new Set<number>();
    const waiting: PdfValue[] = ['Root', 'Info'].map(
      (key) => this.document.trailer.get(key) ?? null,
    );
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next instanceof PdfReference) {
        if (seen.has(next.number) || this.update.isStale(next)) continue;
        seen.add(next.number);
        const value = this.update.current(next);
        if (value === null) continue;
        found.push([next, value]);
        waiting.push(value);
      } else if (Array.isArray(next)) {
        for (const item of next) if (typeof item === 'object' && item) waiting.push(item);
      } else {
        const entries = next instanceof PdfStream ? next.dictionary : next;
        if (!isDictionary(entries)) continue;
        for (const item of entries.values()) {
          if (typeof item === 'object' && item) waiting.push(item);
        }
      }
    }
    return found;
  }

  /**
   * Returns a new file with all reachable objects. With `compressed`, it uses object streams, which PDF/A-1 forbids.
   * Throws PdfDamage.
   */
  write(compressed: boolean): Uint8Array {
    const { document } = this;
    const objects = new WrittenObjects(this.update);
    const trailer: PdfDictionary = new Map();
    for (const key of ['Root', 'Info']) {
      const value = document.trailer.get(key);
      // Some programs write the document information into the trailer, but it must be a separate object.
      const reference = isDictionary(value) ? this.add(value) : value;
      const number = reference instanceof PdfReference ? objects.numberOf(reference) : 0;
      if (number > 0) trailer.set(key, new PdfReference(number, 0));
    }
    objects.writeFound();
    trailer.set('ID', identifiers(document.resolve(document.trailer.get('ID'))));
    return wholeFile(document.bytes, objects, { compressed, trailer });
  }
}
