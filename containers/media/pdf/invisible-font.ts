/**
 * Writes a font whose glyphs are invisible, for text that is aligned with an image of that text. Each character has its
 * own code and glyph.
 */
import { packed } from './fonts/bytes-view.ts';
import { TRUETYPE, writeTables } from './fonts/sfnt.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { dictionary, name, type PdfReference, PdfString } from './objects.ts';
import { flateStream } from './stream-data.ts';

const NAME = name('InvisibleText');
/** The width of every glyph, in thousandths of the font size. */
export const GLYPH_WIDTH = 500;
const [ASCENT, DESCENT] = [770, -230];
/** The maximum number of characters. Code 0 is reserved for missing glyphs. */
const MAX_CHARACTERS = 0xfffe;
/** The maximum number of codes that a CMap may define in one block (Adobe Technical Note 5014, section 1.4.1). */
const BLOCK = 100;

export class InvisibleFont {
  private readonly codes = new Map<string, number>();

  /**
   * Returns the text as a PDF string. If the font has no code left for a character, encodes it as the first character.
   */
  encode(text: string): string {
    const codes = [...text].map((character) => this.codeOf(character));
    return `<${codes.map(hex).join('')}>`;
  }

  private codeOf(character: string): number {
    const known = this.codes.get(character);
    if (known !== undefined) return known;
    if (this.codes.size >= MAX_CHARACTERS) return 1;
    this.codes.set(character, this.codes.size + 1);
    return this.codes.size;
  }

  get isEmpty(): boolean {
    return this.codes.size === 0;
  }

  /** Writes the font with all characters encoded so far. */
  write(reference: PdfReference, update: IncrementalUpdate): void {
    const stream = (bytes: Uint8Array, more: Record<string, number> = {}) =>
      update.add(flateStream(bytes, dictionary(more)));
    const file = fontFile(this.codes.size + 1);
    const descriptor = update.add(
      dictionary({
        Type: name('FontDescriptor'),
        FontName: NAME,
        Flags: 4,
        FontBBox: [0, DESCENT, GLYPH_WIDTH, ASCENT],
        ItalicAngle: 0,
        Ascent: ASCENT,
        Descent: DESCENT,
        CapHeight: ASCENT,
        StemV: 80,
        FontFile2: stream(file, { Length1: file.length }),
      }),
    );
    const descendant = dictionary({
      Type: name('Font'),
      Subtype: name('CIDFontType2'),
      BaseFont: NAME,
      CIDSystemInfo: dictionary({
        Registry: new PdfString(Buffer.from('Adobe')),
        Ordering: new PdfString(Buffer.from('Identity')),
        Supplement: 0,
      }),
      FontDescriptor: descriptor,
      DW: GLYPH_WIDTH,
      CIDToGIDMap: name('Identity'),
    });
    update.set(
      reference,
      dictionary({
        Type: name('Font'),
        Subtype: name('Type0'),
        BaseFont: NAME,
        Encoding: name('Identity-H'),
        DescendantFonts: [update.add(descendant)],
        ToUnicode: stream(Buffer.from(this.toUnicode())),
      }),
    );
  }

  private toUnicode(): string {
    const lines = [...this.codes].map(
      ([character, code]) => `<${hex(code)}> <${[...utf16(character)].map(hex).join('')}>`,
    );
    const blocks: string[] = [];
    for (let at = 0; at < lines.length; at += BLOCK) {
      const block = lines.slice(at, at + BLOCK);
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`);
    }
    return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
${blocks.join('')}endcmap CMapName currentdict /CMap defineresource pop end end`;
  }
}

const hex = (code: number) => code.toString(16).padStart(4, '0');

const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));

/** Returns a TrueType file with empty glyphs and the tables that ISO 32000-1, section 9.9 requires. */
function fontFile(glyphs: number): Uint8Array {
  const long = (value: number) => [4, value] as const;
  const shorts = (...values: number[]) => values.map((value) => [2, value] as const);
  const head = packed(
    ...[long(0x00010000), long(0x00010000), long(0), long(0x5f0f3cf5)],
    ...shorts(0, 1000),
    ...[long(0), long(0), long(0), long(0)],
    ...shorts(0, DESCENT, GLYPH_WIDTH, ASCENT, 0, 8, 2, 0, 0),
  );
  const metrics = [ASCENT, DESCENT, 0, GLYPH_WIDTH, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1];
  return writeTables(
    TRUETYPE,
    new Map([
      ['head', head],
      ['hhea', packed(long(0x00010000), ...shorts(...metrics))],
      ['maxp', packed(long(0x00010000), ...shorts(glyphs, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0))],
      ['hmtx', packed(...shorts(GLYPH_WIDTH, ...Array<number>(glyphs).fill(0)))],
      ['loca', new Uint8Array(2 * (glyphs + 1))],
      ['glyf', new Uint8Array(0)],
    ]),
  );
}
