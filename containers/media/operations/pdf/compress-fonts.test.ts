/** compress_pdf on files whose weight is fonts, private data or duplicates. */
import { readFileSync } from 'node:fs';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { compress, difference, textOf } from './test-compress.ts';
import { put, removeFolder } from './test-files.ts';

afterAll(removeFolder);

const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';

/** A page that embeds all of DejaVu Sans, by codes of one byte or as a composite font. */
async function withWholeFont(kind: 'simple' | 'composite', fill?: (document: PDFDocument) => void) {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 200]);
  const { context } = document;
  const file = context.register(context.flateStream(readFileSync(FONT)));
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
  const simple = { Subtype: 'TrueType', Encoding: 'WinAnsiEncoding', FontDescriptor: descriptor };
  const composite = { Subtype: 'Type0', Encoding: 'Identity-H', DescendantFonts: [child] };
  const font = context.obj({ ...base, ...(kind === 'simple' ? simple : composite) });
  page.node.setFontDictionary(PDFName.of('F1'), context.register(font) as never);
  const shown = kind === 'simple' ? '(Größe: 12 €) Tj' : '<002400250026> Tj';
  const content = Buffer.from(`BT /F1 24 Tf 20 100 Td ${shown} ET`.replace('€', '\\200'), 'latin1');
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  fill?.(document);
  return document.save({ useObjectStreams: false });
}

describe('compress_pdf', () => {
  it.each(['simple', 'composite'] as const)(
    'embeds only the shown glyphs of a %s font, and draws the same page',
    async (kind) => {
      const path = put(`${kind}.pdf`, await withWholeFont(kind));
      const result = await compress(path);
      expect(result.bytes.length).toBeLessThan(30_000);
      expect(difference(path, result.path)).toBe(0);
      expect(textOf(result.path)).toBe(textOf(path));
      expect(run('pdffonts', result.path)).toMatch(/[A-Z]{6}\+DejaVuSans/);
      expect(result.meta.saved).toMatchObject({ fonts: expect.any(Number) });
    },
  );

  it('keeps all glyphs of a font that a text field is filled in with', async () => {
    const bytes = await withWholeFont('simple', (document) => {
      const field = document.getForm().createTextField('name');
      field.addToPage(document.getPage(0), { x: 20, y: 20, width: 100, height: 20 });
      const form = document.catalog.lookup(PDFName.of('AcroForm')) as never as Map<
        unknown,
        unknown
      >;
      const fonts = document.getPage(0).node.Resources()?.get(PDFName.of('Font'));
      form.set(PDFName.of('DR'), document.context.obj({ Font: fonts } as never));
    });
    const result = await compress(put('form.pdf', bytes));
    const saved = result.meta.saved as Record<string, number> | undefined;
    expect(saved?.fonts).toBeUndefined();
    if (result.bytes.length > 0) expect(run('pdffonts', result.path)).not.toMatch(/[A-Z]{6}\+Deja/);
  });

  it('removes private data, thumbnails and padding, and writes equal streams once', async () => {
    const document = await PDFDocument.create();
    const noise = (seed: number, length: number) =>
      Uint8Array.from({ length }, (_, index) => (index * index * seed + (index >> 3)) & 255);
    const { context } = document;
    for (let index = 0; index < 3; index += 1) {
      const page = document.addPage([200, 200]);
      page.node.set(PDFName.of('Thumb'), context.register(context.stream(noise(7, 5000))));
      const form = context.stream(
        Buffer.from(`%${Buffer.from(noise(11, 4000)).toString('hex')}\n`),
        {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 10, 10],
        },
      );
      page.node.setXObject(PDFName.of('X'), context.register(form) as never);
    }
    const secret = context.register(context.stream(noise(13, 50_000)));
    document.catalog.set(PDFName.of('PieceInfo'), context.obj({ Editor: { Private: secret } }));
    const xmp = `<?xpacket begin?><x/>${' '.repeat(9000)}<?xpacket end="w"?>`;
    const metadata = context.stream(Buffer.from(xmp), { Type: 'Metadata', Subtype: 'XML' });
    document.catalog.set(PDFName.of('Metadata'), context.register(metadata));
    const path = put('private.pdf', await document.save({ useObjectStreams: false }));
    const result = await compress(path);
    expect(result.bytes.length).toBeLessThan(9000);
    expect(result.meta.saved).toMatchObject({
      'unused data': expect.any(Number),
      duplicates: expect.any(Number),
    });
    expect(run('qpdf', '--check', result.path)).toContain('No syntax or stream encoding errors');
  });

  it('writes a file that claims PDF/A-1 without object streams and with readable metadata', async () => {
    const document = await PDFDocument.create();
    document.addPage([200, 200]);
    const { context } = document;
    const secret = context.register(context.stream(new Uint8Array(50_000).fill(7)));
    document.catalog.set(PDFName.of('PieceInfo'), context.obj({ Editor: { Private: secret } }));
    const xmp = '<x xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="1"/>'.padEnd(
      900,
      ' ',
    );
    const metadata = context.stream(Buffer.from(xmp), { Type: 'Metadata', Subtype: 'XML' });
    document.catalog.set(PDFName.of('Metadata'), context.register(metadata));
    const path = put('archive.pdf', await document.save({ useObjectStreams: false }));
    const { bytes } = await compress(path);
    expect(bytes.includes('/ObjStm')).toBe(false);
    expect(bytes.includes('pdfaid:part="1"')).toBe(true);
  });
});
