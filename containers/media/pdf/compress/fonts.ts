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
import { shownText } from './shown-text.ts';

const MAX_FONT_BYTES = 64 * 1024 * 1024;
const SUBSET_TAG = /^[A-Z]{6}\+/;
const FILE_KEYS = ['FontFile', 'FontFile2', 'FontFile3'];

/**
 * Reduces the fonts. Returns the indexes, from 0, of pages that together show every glyph that page content uses.
 * Returns no indexes if no font became smaller or the content cannot be read. Throws PdfDamage.
 */
export function compactFonts(draft: Draft): number[] {
  const found = unlessDamaged(() => {
    const { codes, pages } = shownText(draft);
    return { files: fontFiles(draft, codes), pages };
  });
  if (!found) return [];
  let count = 0;
  for (const file of found.files) {
    const data = decodedData(draft, file.stream, MAX_FONT_BYTES);
    const compact = data && compactFile(draft, data, file.uses);
    if (!compact) continue;
    const encoded = deflate(compact.data);
    if (encoded.length >= file.stream.encoded.length) continue;
    replace(draft, file, compact, encoded);
    count += 1;
  }
  count += reduceWidths(draft, found.files);
  return count > 0 ? found.pages : [];
}

/** Removes the widths of the CIDs that are not shown. Returns the number of fonts that became smaller. */
function reduceWidths(draft: Draft, files: readonly FontFile[]): number {
  let count = 0;
  const uses = files.flatMap((file) => file.uses);
  const byDescendant = Map.groupBy(uses, ({ descendant }) => descendant?.reference.number);
  for (const sharing of byDescendant.values()) {
    const reference = sharing[0]?.descendant?.reference;
    const entries = draft.dictionary(reference);
    const cids = sharing.map((use) => shownCids(draft, use));
    if (!reference || !entries || !cids.every((set) => set !== undefined)) continue;
    const shown = new Set(cids.flatMap((set) => [...set]));
    const widths = smallerWidths(draft, entries.get('W'), shown);
    if (!widths) continue;
    draft.set(reference, new Map(entries).set('W', widths));
    count += 1;
  }
  return count;
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
  for (const use of uses) {
    const { font, descendant, descriptor } = use;
    // A standard font without widths keeps its name, because readers determine the widths from the name.
    const isByName = !descendant && !font.entries.has('Widths');
    if (!isByName) draft.set(font.reference, tagged(font.entries, 'BaseFont', tag));
    if (descendant) {
      const changed = tagged(descendant.entries, 'BaseFont', tag);
      const map = smallerCidMap(draft, use);
      if (map) changed.set('CIDToGIDMap', map);
      draft.set(descendant.reference, changed);
    }
    const described = isByName
      ? new Map(descriptor.entries)
      : tagged(descriptor.entries, 'FontName', tag);
    for (const old of [...FILE_KEYS, 'CIDSet', 'CharSet']) described.delete(old);
    draft.set(descriptor.reference, described.set(key, reference));
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
 * Returns the map from CIDs to glyphs, with zeros for CIDs that are not shown. Returns undefined if the font has no
 * map.
 */
function smallerCidMap(draft: Draft, use: FontUse): PdfReference | undefined {
  const map = cidMapOf(draft, use);
  const cids = shownCids(draft, use);
  if (!map || !cids) return undefined;
  const length = Math.min(map.length, (Math.max(0, ...cids) + 1) * 2);
  const reduced = map.slice(0, length);
  for (let cid = 0; cid * 2 < length; cid += 1) {
    if (!cids.has(cid)) reduced.fill(0, cid * 2, cid * 2 + 2);
  }
  return draft.add(flateStream(reduced));
}
