/** Reduces the size of the color profiles of images and output intents. */
import { PdfStream } from '../objects.ts';
import { decodedData, flateStream } from '../stream-data.ts';
import type { Draft } from './draft.ts';
import { compactProfile, hasTables, profileSpace } from './icc-profile.ts';
import { intentProfiles, replaceUnusedIntents } from './output-intents.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Throws PdfDamage. */
export function compactProfiles(draft: Draft): void {
  replaceUnusedIntents(draft);
  const intents = intentProfiles(draft);
  for (const [reference, stream] of draft.objects()) {
    if (!(stream instanceof PdfStream) || !stream.dictionary.has('N')) continue;
    const data = decodedData(draft, stream, MAX_BYTES);
    if (!data || !profileSpace(data)) continue;
    const smaller = flateStream(compacted(data, intents.has(reference.number)), stream.dictionary);
    if (smaller.encoded.length < stream.encoded.length) draft.set(reference, smaller);
  }
}

/**
 * Returns a smaller profile. Damaged profiles are returned unchanged, and so are output intent profiles that have
 * tables, because they are used for printing.
 */
function compacted(data: Uint8Array, isIntent: boolean): Uint8Array {
  try {
    return isIntent && hasTables(data) ? data : compactProfile(data);
  } catch (error) {
    if (error instanceof RangeError) return data;
    throw error;
  }
}
