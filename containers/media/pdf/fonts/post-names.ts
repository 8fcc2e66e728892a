/** Reads the glyph names of TrueType fonts from a `post` table of format 2. */
import { viewOf } from './bytes-view.ts';

const FORMAT_2 = 0x00020000;
/** The number of names in the standard Macintosh order. The font's own names follow them. */
const STANDARD_NAMES = 258;

/**
 * Returns the glyph for each name that is not in the standard Macintosh order. The map is empty if the table has no
 * such names.
 */
export function readPostNames(table: Uint8Array | undefined): Map<string, number> {
  const glyphs = new Map<string, number>();
  if (!table || table.length < 34) return glyphs;
  const view = viewOf(table);
  if (view.getUint32(0) !== FORMAT_2) return glyphs;
  const count = view.getUint16(32);
  const names: string[] = [];
  for (let at = 34 + count * 2; at < table.length; ) {
    const length = table[at] as number;
    names.push(String.fromCharCode(...table.subarray(at + 1, at + 1 + length)));
    at += length + 1;
  }
  for (let glyph = 0; glyph < count && 36 + glyph * 2 <= table.length; glyph += 1) {
    const index = view.getUint16(34 + glyph * 2);
    const name = names[index - STANDARD_NAMES];
    if (name !== undefined) glyphs.set(name, glyph);
  }
  return glyphs;
}
