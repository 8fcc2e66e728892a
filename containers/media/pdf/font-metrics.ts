/**
 * Reads the glyph widths and the style of a font, which are needed for text spans (ISO 32000-1, sections 9.6 and 9.7).
 */
import type { ObjectSource, PdfDictionary } from './objects.ts';
import { standardWidths } from './standard-widths.ts';

/** The width assumed for a glyph without a declared width, in thousandths of the font size. */
const USUAL_WIDTH = 500;
const MAX_WIDTHS = 70_000;
const FIXED_PITCH = 1;
const ITALIC = 64;
const FORCE_BOLD = 2 ** 18;

export interface FontMetrics {
  bytesPerCode: 1 | 2;
  isVertical: boolean;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
  /** Whether glyphs are content streams, in units that may differ from those of other fonts. */
  isType3: boolean;
  /** False for fonts whose widths are neither declared nor those of a standard font. */
  hasWidths: boolean;
  /** Returns the width of a character code, as a share of the font size. */
  widthOf(code: number): number;
}

/** Returns the metrics of a font dictionary, with defaults for missing entries. */
export function fontMetrics(source: ObjectSource, font: PdfDictionary | undefined): FontMetrics {
  const isComposite = source.isNamed(font?.get('Subtype'), 'Type0');
  const descendants = isComposite ? source.array(font?.get('DescendantFonts')) : undefined;
  const inner = descendants ? source.dictionary(descendants[0]) : font;
  const descriptor = source.dictionary(inner?.get('FontDescriptor'));
  // A Type 3 font has no BaseFont. Chromium writes its name into the descriptor.
  const fontName =
    source.name(font?.get('BaseFont')) ?? source.name(descriptor?.get('FontName')) ?? '';
  const flags = source.number(descriptor?.get('Flags')) ?? 0;
  const declared = isComposite ? widthsOfCids(source, inner) : widthsOfCodes(source, font);
  const widths = isComposite || declared.size > 0 ? declared : standardWidths(fontName);
  const usual = isComposite
    ? (source.number(inner?.get('DW')) ?? 1000)
    : (source.number(descriptor?.get('MissingWidth')) ?? USUAL_WIDTH);
  return {
    bytesPerCode: isComposite ? 2 : 1,
    isVertical: /-V$/.test(source.name(font?.get('Encoding')) ?? ''),
    isBold: /bold|black|heavy|semib|demi|[-,]bd|medi$/i.test(fontName) || (flags & FORCE_BOLD) > 0,
    isItalic: /italic|oblique|[-,]it$/i.test(fontName) || (flags & ITALIC) > 0,
    isMono: /courier|mono|consol|typewriter|cmtt/i.test(fontName) || (flags & FIXED_PITCH) > 0,
    isType3: source.isNamed(font?.get('Subtype'), 'Type3'),
    hasWidths: isComposite || widths.size > 0,
    widthOf: (code) => widths.get(code) ?? usual / 1000,
  };
}

function widthsOfCodes(source: ObjectSource, font: PdfDictionary | undefined) {
  const widths = new Map<number, number>();
  const first = source.number(font?.get('FirstChar')) ?? 0;
  const matrix = source.array(font?.get('FontMatrix'));
  // Only Type 3 fonts have a FontMatrix.
  const scale = matrix ? Math.abs(source.number(matrix[0]) ?? 0.001) : 0.001;
  for (const [index, width] of (source.array(font?.get('Widths')) ?? []).entries()) {
    if (index > 255) break;
    widths.set(first + index, (source.number(width) ?? USUAL_WIDTH) * scale);
  }
  return widths;
}

/** Reads the `W` entry of a CID font, with the forms `c [w1 w2 …]` and `first last w` (section 9.7.4.3). */
function widthsOfCids(source: ObjectSource, font: PdfDictionary | undefined) {
  const widths = new Map<number, number>();
  const items = source.array(font?.get('W')) ?? [];
  /** The number of widths read so far, including those that replace others. */
  let count = 0;
  const set = (cid: number, width: number) => {
    widths.set(cid, width);
    count += 1;
  };
  for (let at = 0; at + 1 < items.length && count < MAX_WIDTHS; ) {
    const first = source.number(items[at]) ?? 0;
    const listed = source.array(items[at + 1]);
    if (listed) {
      for (const [index, width] of listed.entries()) {
        set(first + index, (source.number(width) ?? 1000) / 1000);
      }
      at += 2;
    } else {
      const last = Math.min(source.number(items[at + 1]) ?? 0, first + MAX_WIDTHS);
      const width = (source.number(items[at + 2]) ?? 1000) / 1000;
      for (let cid = first; cid <= last; cid += 1) set(cid, width);
      at += 3;
    }
  }
  return widths;
}
