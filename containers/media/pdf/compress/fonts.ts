/** Reduces embedded fonts to the glyphs that a document shows, and converts Type 1 fonts to CFF. */
import { createHash } from 'node:crypto';
import {
  name,
  type PdfDictionary,
  PdfName,
  type PdfReference,
  PdfStream,
  unlessDamaged,
} from '../objects.ts';
import { decodedData, flateStream } from '../stream-data.ts';
import { deflate } from '../zlib.ts';
import { smallerWidths } from './cid-widths.ts';
import { shownCids } from './code-map.ts';
import { type CompactFile, compactFile } from './compact-file.ts';
import type { Draft } from './draft.ts';
import { type FontFile, type FontUse, fontFiles } from './font-files.ts';
import { cidMapOf } from './needed-glyphs.ts';
import type { ShownText } from './shown-text.ts';

const MAX_FONT_BYTES = 64 * 1024 * 1024;
const SUBSET_TAG = /^[A-Z]{6}\+/;
const FILE_KEYS = ['FontFile', 'FontFile2', 'FontFile3'];

/**
 * Reduces the fonts. Returns the indexes, from 0, of pages that together show every glyph that page content uses.
 * Returns no indexes if no font became smaller. Throws PdfDamage.
 */
export function compactFonts(draft: Draft, { codes, pages }: ShownText): number[] {
  const files = unlessDamaged(() => fontFiles(draft, codes));
  if (!files) return [];
  let count = 0;
  for (const file of files) {
    const data = decodedData(draft, file.stream, MAX_FONT_BYTES);
    const compact = data && compactFile(draft, data, file.uses);
    if (!compact) continue;
    const encoded = deflate(compact.data);
    if (encoded.length >= file.stream.encoded.length) continue;
    replace(draft, file, compact, encoded);
    count += 1;
  }
  count += reduceWidths(draft, files);
  return count > 0 ? pages : [];
}

/** Removes the widths of the CIDs that are not shown. Returns the number of fonts that became smaller. */
function reduceWidths(draft: Draft, files: readonly FontFile[]): number {
  let count = 0;
  for (const sharing of byDescendant(files.flatMap((file) => file.uses))) {
    const reference = sharing[0]?.descendant?.reference;
    const entries = draft.dictionary(reference);
    const shown = shownCidsOf(draft, sharing);
    if (!reference || !entries || !shown) continue;
    const widths = smallerWidths(draft, entries.get('W'), shown);
    if (!widths) continue;
    draft.set(reference, new Map(entries).set('W', widths));
    count += 1;
  }
  return count;
}

/** Groups fonts by their descendant font, which several composite fonts may share. Simple fonts form one group. */
const byDescendant = (uses: readonly FontUse[]) =>
  Map.groupBy(uses, ({ descendant }) => descendant?.reference.number).values();

/** Returns the CIDs that any of the fonts shows, or undefined if they are unknown. */
function shownCidsOf(draft: Draft, uses: readonly FontUse[]): Set<number> | undefined {
  const cids = uses.map((use) => shownCids(draft, use));
  if (!cids.every((set) => set !== undefined)) return undefined;
  return new Set(cids.flatMap((set) => [...set]));
}

function replace(
  draft: Draft,
  { reference, uses }: FontFile,
  { data, key, subtype }: CompactFile,
  encoded: Uint8Array,
): void {
  const entries: PdfDictionary = new Map([['Filter', name('FlateDecode')]]);
  if (subtype) entries.set('Subtype', name(subtype));
  else entries.set('Length1', data.length);
  draft.set(reference, new PdfStream(entries, encoded));
  const tag = subsetTag(data);
  for (const { font, descendant, descriptor } of uses) {
    // A standard font without widths keeps its name, because readers determine the widths from the name.
    const isByName = !descendant && !font.entries.has('Widths');
    if (!isByName) draft.set(font.reference, tagged(font.entries, 'BaseFont', tag));
    const described = isByName
      ? new Map(descriptor.entries)
      : tagged(descriptor.entries, 'FontName', tag);
    for (const old of [...FILE_KEYS, 'CIDSet', 'CharSet']) described.delete(old);
    draft.set(descriptor.reference, described.set(key, reference));
  }
  for (const sharing of byDescendant(uses)) {
    const [{ descendant } = {}] = sharing;
    if (!descendant) continue;
    const changed = tagged(descendant.entries, 'BaseFont', tag);
    const map = smallerCidMap(draft, sharing);
    if (map) changed.set('CIDToGIDMap', map);
    draft.set(descendant.reference, changed);
  }
}

/** Returns the six-letter tag that marks a font name as a subset (section 9.6.4). */
const subsetTag = (data: Uint8Array): string =>
  Array.from(createHash('sha256').update(data).digest().subarray(0, 6), (byte) =>
    String.fromCharCode(65 + (byte % 26)),
  ).join('');

function tagged(entries: PdfDictionary, key: string, tag: string): PdfDictionary {
  const copy = new Map(entries);
  const value = entries.get(key);
  if (value instanceof PdfName && !SUBSET_TAG.test(value.value)) {
    copy.set(key, name(`${tag}+${value.value}`));
  }
  return copy;
}

/**
 * Returns the map from CIDs to glyphs of a descendant font, with zeros for CIDs that none of its fonts shows. Returns
 * undefined if it has no map or the shown CIDs are unknown.
 */
function smallerCidMap(draft: Draft, sharing: readonly FontUse[]): PdfReference | undefined {
  const map = sharing[0] && cidMapOf(draft, sharing[0]);
  const cids = shownCidsOf(draft, sharing);
  if (!map || !cids) return undefined;
  const length = Math.min(map.length, (Math.max(0, ...cids) + 1) * 2);
  const reduced = map.slice(0, length);
  for (let cid = 0; cid * 2 < length; cid += 1) {
    if (!cids.has(cid)) reduced.fill(0, cid * 2, cid * 2 + 2);
  }
  return draft.add(flateStream(reduced));
}
