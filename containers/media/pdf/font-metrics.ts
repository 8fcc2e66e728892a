/**
 * Reads the glyph widths and the style of a font, which are needed for text spans (ISO 32000-1, sections 9.6 and 9.7).
 */
import { USUAL_WIDTH, widthsOfCids, widthsOfCodes } from './glyph-widths.ts';
import type { ObjectSource, PdfDictionary } from './objects.ts';
import { standardWidths } from './standard-widths.ts';

/** The maximum length of a name (Annex C.2). Thousands of fonts may share a longer one. */
const MAX_NAME = 127;
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
  /** False for simple fonts whose widths are neither declared nor those of a standard font. */
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
  const name = source.name(font?.get('BaseFont')) ?? source.name(descriptor?.get('FontName')) ?? '';
  const fontName = name.slice(0, MAX_NAME);
  const flags = source.number(descriptor?.get('Flags')) ?? 0;
  const declared = isComposite ? widthsOfCids(source, inner) : widthsOfCodes(source, font);
  const widths = declared ?? (isComposite ? undefined : standardWidths(fontName));
  const usual = isComposite
    ? (source.number(inner?.get('DW')) ?? 1000)
    : (source.number(descriptor?.get('MissingWidth')) ?? USUAL_WIDTH);
  return {
    bytesPerCode: isComposite ? 2 : 1,
    isVertical: source.name(font?.get('Encoding'))?.endsWith('-V') ?? false,
    isBold: /bold|black|heavy|semib|demi|[-,]bd|medi$/i.test(fontName) || (flags & FORCE_BOLD) > 0,
    isItalic: /italic|oblique|[-,]it$/i.test(fontName) || (flags & ITALIC) > 0,
    isMono: /courier|mono|consol|typewriter|cmtt/i.test(fontName) || (flags & FIXED_PITCH) > 0,
    isType3: source.isNamed(font?.get('Subtype'), 'Type3'),
    hasWidths: isComposite || widths !== undefined,
    widthOf: (code) => widths?.(code) ?? usual / 1000,
  };
}
