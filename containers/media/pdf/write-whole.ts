/** Writes a document with its changes as a new file: only what its trailer leads to. */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { type PdfDictionary, PdfReference } from './objects.ts';
import { identifiers, wholeFile } from './whole-file.ts';
import { WrittenObjects } from './written-objects.ts';

/** `compressed`: with object streams, which PDF/A-1 forbids. Throws PdfDamage. */
export function writeWhole(
  document: PdfDocument,
  update: IncrementalUpdate,
  compressed: boolean,
): Uint8Array {
  const objects = new WrittenObjects(update);
  const trailer: PdfDictionary = new Map();
  for (const key of ['Root', 'Info']) {
    const reference = document.trailer.get(key);
    const number = reference instanceof PdfReference ? objects.numberOf(reference) : 0;
    if (number > 0) trailer.set(key, new PdfReference(number, 0));
  }
  objects.writeFound();
  trailer.set('ID', identifiers(document.resolve(document.trailer.get('ID'))));
  return wholeFile(document.bytes, objects, { compressed, trailer });
}
