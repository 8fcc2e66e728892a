/** Merges objects with equal content into one object. */
import { createHash } from 'node:crypto';
import {
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../objects.ts';
import { serialize } from '../serialize.ts';
import type { Draft } from './draft.ts';

/**
 * The maximum number of passes. Merging objects can make the objects that refer to them equal. For example, merging
 * font files makes their descriptors equal, and merging descriptors makes fonts equal.
 */
const MAX_ROUNDS = 6;
/**
 * The types of dictionaries whose identity does not matter. The identity of pages, fields and structure elements does.
 */
const MERGED_TYPES = new Set(['Font', 'FontDescriptor', 'ExtGState', 'Encoding', 'Halftone']);

/** Merges objects until a pass finds no duplicates, in at most MAX_ROUNDS passes. Throws PdfDamage. */
export function mergeDuplicates(draft: Draft): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const firsts = new Map<string, PdfReference>();
    const merged = new Map<number, PdfReference>();
    const objects = draft.objects();
    for (const [reference, value] of objects) {
      const key = keyOf(value);
      if (!key) continue;
      const first = firsts.get(key);
      if (first) merged.set(reference.number, first);
      else firsts.set(key, reference);
    }
    if (merged.size === 0) return;
    for (const [reference, value] of objects) {
      const changed = withReferences(value, merged);
      if (changed !== value) draft.set(reference, changed);
    }
  }
}

/** Returns a key that is equal for equal objects, or undefined for objects that must not be merged. */
function keyOf(value: PdfValue): string | undefined {
  if (value instanceof PdfStream) {
    const entries = new Map(value.dictionary);
    entries.delete('Length');
    return createHash('sha256')
      .update(sorted(entries))
      .update('\0')
      .update(value.encoded)
      .digest('base64');
  }
  if (isDictionary(value)) {
    const type = value.get('Type');
    return type instanceof PdfName && MERGED_TYPES.has(type.value) ? sorted(value) : undefined;
  }
  // Some arrays can be merged too, such as color spaces and widths.
  if (Array.isArray(value) && (value[0] instanceof PdfName || typeof value[0] === 'number')) {
    return value.some(isDictionary) ? undefined : serialize(value);
  }
  return undefined;
}

const sorted = (entries: PdfDictionary): string =>
  serialize(new Map([...entries].sort(([left], [right]) => (left < right ? -1 : 1))));

/** Returns the value with its references to merged objects replaced. Returns the same value if it has none. */
function withReferences(value: PdfValue, merged: ReadonlyMap<number, PdfReference>): PdfValue {
  if (value instanceof PdfReference) return merged.get(value.number) ?? value;
  if (Array.isArray(value)) {
    const items = value.map((item) => withReferences(item, merged));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (value instanceof PdfStream) {
    const entries = withReferences(value.dictionary, merged);
    return isDictionary(entries) && entries !== value.dictionary
      ? new PdfStream(entries, value.encoded)
      : value;
  }
  if (!isDictionary(value)) return value;
  let changed = false;
  const entries: PdfDictionary = new Map();
  for (const [key, item] of value) {
    const other = withReferences(item, merged);
    if (other !== item) changed = true;
    entries.set(key, other);
  }
  return changed ? entries : value;
}
