/** Makes PDF files with complete embedded fonts, which some editors write. */
import { readFileSync } from 'node:fs';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';

const DEJAVU = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';

/** Makes a page with the complete DejaVu Sans font, as a simple font with one-byte codes or as a composite font. */
export async function wholeFontFile(
  kind: 'simple' | 'composite',
  fill?: (document: PDFDocument) => void,
  path = DEJAVU,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 200]);
  const { context } = document;
  const file = context.register(context.flateStream(readFileSync(path)));
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'DejaVuSans',
      Flags: 32,
      FontBBox: [-1000, -400, 2000, 1200],
      ItalicAngle: 0,
      Ascent: 900,
      Descent: -200,
      CapHeight: 700,
      StemV: 80,
      FontFile2: file,
    }),
  );
  const base = { Type: 'Font', BaseFont: 'DejaVuSans' };
  const child = context.register(
    context.obj({
      ...base,
      Subtype: 'CIDFontType2',
      CIDSystemInfo: {
        Registry: PDFString.of('Adobe'),
        Ordering: PDFString.of('Identity'),
        Supplement: 0,
      },
      CIDToGIDMap: 'Identity',
      DW: 700,
      FontDescriptor: descriptor,
    }),
  );
  const simple = {
    Subtype: 'TrueType',
    Encoding: 'WinAnsiEncoding',
    FontDescriptor: descriptor,
    FirstChar: 32,
    LastChar: 255,
    Widths: Array.from({ length: 224 }, () => 600),
  };
  const composite = { Subtype: 'Type0', Encoding: 'Identity-H', DescendantFonts: [child] };
  const font = context.obj({ ...base, ...(kind === 'simple' ? simple : composite) });
  page.node.setFontDictionary(PDFName.of('F1'), context.register(font) as never);
  const shown = kind === 'simple' ? '(Größe: 12 €) Tj' : '<002400250026> Tj';
  const content = Buffer.from(`BT /F1 24 Tf 20 100 Td ${shown} ET`.replace('€', '\\200'), 'latin1');
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  fill?.(document);
  return document.save({ useObjectStreams: false });
}
