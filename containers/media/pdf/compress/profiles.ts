/** Makes the colour profiles of images and output intents smaller. */
import type { Inflate } from '../filters.ts';
import { isDictionary, isNamed, name, PdfReference, PdfStream, type PdfValue } from '../objects.ts';
import type { Deflate } from '../write-section.ts';
import type { Draft } from './draft.ts';
import { compactProfile, profileSpace } from './icc-profile.ts';
import { decodedData } from './stream-data.ts';

const MAXIMUM_BYTES = 8 * 1024 * 1024;

/** Throws PdfDamage. */
export function compactProfiles(draft: Draft, inflate: Inflate, deflate: Deflate): void {
  const objects = draft.objects();
  const printed = profilesOfPrinters(draft, objects);
  for (const [reference, stream] of objects) {
    if (!(stream instanceof PdfStream) || !stream.dictionary.has('N')) continue;
    if (printed.has(reference.number)) continue;
    const data = decodedData(draft, stream, inflate, MAXIMUM_BYTES);
    if (!data || !profileSpace(data)) continue;
    const encoded = deflate(compacted(data));
    if (encoded.length >= stream.encoded.length) continue;
    const entries = new Map(stream.dictionary).set('Filter', name('FlateDecode'));
    entries.delete('DecodeParms');
    draft.set(reference, new PdfStream(entries, encoded));
  }
}

/** Profiles of PDF/X (section 14.11.5), from which a printer takes more than the colours that a page shows. */
function profilesOfPrinters(draft: Draft, objects: readonly [PdfReference, PdfValue][]) {
  const numbers = new Set<number>();
  for (const [, value] of objects) {
    if (!isDictionary(value) || !isNamed(draft.resolve(value.get('S')), 'GTS_PDFX')) continue;
    const profile = value.get('DestOutputProfile');
    if (profile instanceof PdfReference) numbers.add(profile.number);
  }
  return numbers;
}

/** A damaged profile stays as it is. */
function compacted(data: Uint8Array): Uint8Array {
  try {
    return compactProfile(data);
  } catch (error) {
    if (error instanceof RangeError) return data;
    throw error;
  }
}
