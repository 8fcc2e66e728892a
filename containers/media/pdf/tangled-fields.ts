/**
 * Detects form fields that do not form a tree. For such fields, programs that follow every branch need exponential time
 * (ISO 32000-1, section 12.7).
 */
import type { PdfDocument } from './document.ts';
import { PdfReference, type PdfValue, unlessDamaged } from './objects.ts';

const MAX_FIELDS = 100_000;

/**
 * Whether a field with kids is a kid of several fields, or whether there are too many fields to determine this. Damaged
 * fields are ignored, because programs skip them.
 */
export function hasTangledFields(document: PdfDocument): boolean {
  return unlessDamaged(() => areTangled(document)) ?? false;
}

function areTangled(document: PdfDocument): boolean {
  const form = document.dictionary(document.catalog.dictionary.get('AcroForm'));
  const seen = new Set<number>();
  const waiting: PdfValue[] = [...(document.array(form?.get('Fields')) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const listed = document.dictionary(next)?.get('Kids');
    const kids = document.array(listed);
    if (!kids || kids.length === 0) continue;
    // The list of kids may be an indirect array that contains direct fields with the same list.
    for (const value of [next, listed]) {
      if (!(value instanceof PdfReference)) continue;
      if (seen.has(value.number)) return true;
      seen.add(value.number);
    }
    if (waiting.length + kids.length > MAX_FIELDS) return true;
    for (const kid of kids) waiting.push(kid);
  }
  return false;
}
