/** Wraps a bare CFF font as an OpenType font, because HarfBuzz does not read bare CFF fonts. */
import { packed } from './bytes-view.ts';
import type { Tables } from './sfnt.ts';

const UNITS_PER_EM = 1000;
const HEAD_MAGIC = 0x5f0f3cf5;
const MAXP_OF_CFF = 0x00005000;
const VERSION_1 = 0x00010000;

/**
 * Returns the smallest set of tables that HarfBuzz accepts. Their metrics may be wrong, because the PDF contains its
 * own metrics.
 */
export function wrapCompactFont(font: Uint8Array, glyphCount: number): Tables {
  const head = Buffer.concat([
    packed([4, VERSION_1], [4, VERSION_1], [4, 0], [4, HEAD_MAGIC], [2, 0], [2, UNITS_PER_EM]),
    new Uint8Array(16),
    packed([2, 0], [2, 0], [2, UNITS_PER_EM], [2, UNITS_PER_EM], [2, 0], [2, 8], [2, 2]),
    packed([2, 0], [2, 0]),
  ]);
  const hhea = new Uint8Array(36);
  hhea.set(packed([4, VERSION_1]));
  hhea.set(packed([2, 1]), 34);
  return new Map([
    ['CFF ', font],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', new Uint8Array(4 + Math.max(0, glyphCount - 1) * 2)],
    ['maxp', packed([4, MAXP_OF_CFF], [2, glyphCount])],
  ]);
}
