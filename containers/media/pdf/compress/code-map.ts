/** Reads the CMap of a composite font, which maps codes to CIDs (ISO 32000-1, section 9.7.5). */
import { isNamed, PdfStream } from '../objects.ts';
import { decodedData } from '../stream-data.ts';
import type { Draft } from './draft.ts';
import type { FontUse } from './font-files.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_CODE = 0xffff;
/**
 * The maximum number of entries to read. Ranges may overlap, so a small file could list far more codes than can exist.
 */
const MAX_ENTRIES = 4 * MAX_CODE;

/**
 * Returns the CIDs of all codes that the content shows in this font. Returns undefined if the CMap is a predefined one
 * other than Identity-H and Identity-V, refers to another CMap, or cannot be read.
 */
export function shownCids(draft: Draft, use: FontUse): Set<number> | undefined {
  const encoding = draft.resolve(use.font.entries.get('Encoding'));
  if (isNamed(encoding, 'Identity-H') || isNamed(encoding, 'Identity-V')) return new Set(use.codes);
  if (!(encoding instanceof PdfStream) || encoding.dictionary.has('UseCMap')) return undefined;
  const data = decodedData(draft, encoding, MAX_BYTES);
  const map = data && readCodeMap(Buffer.from(data).toString('latin1'));
  if (!map) return undefined;
  const cids = new Set<number>();
  for (const code of use.codes) {
    const cid = map.get(code);
    if (cid !== undefined) cids.add(cid);
  }
  return cids;
}

/**
 * Returns the CID of each code. Returns undefined if the CMap refers to another CMap, has codes longer than two bytes,
 * or lists no codes or too many.
 */
function readCodeMap(text: string): Map<number, number> | undefined {
  if (/\busecmap\b/.test(text)) return undefined;
  const map = new Map<number, number>();
  let entries = 0;
  const sections = /begincid(char|range)\b/g;
  for (let begin = sections.exec(text); begin; begin = sections.exec(text)) {
    const from = sections.lastIndex;
    const to = text.indexOf('endcid', from);
    if (to < 0) break;
    sections.lastIndex = to;
    const [, kind] = begin;
    const pattern = kind === 'char' ? /<(\w+)>()\s*(\d+)/g : /<(\w+)>\s*<(\w+)>\s*(\d+)/g;
    for (const [, first = '', last, cid] of text.slice(from, to).matchAll(pattern)) {
      const start = Number.parseInt(first, 16);
      const end = last ? Number.parseInt(last, 16) : start;
      if (!(end <= MAX_CODE)) return undefined;
      entries += Math.max(0, end - start) + 1;
      if (entries > MAX_ENTRIES) return undefined;
      for (let code = start; code <= end; code += 1) map.set(code, Number(cid) + code - start);
    }
  }
  return map.size > 0 ? map : undefined;
}
