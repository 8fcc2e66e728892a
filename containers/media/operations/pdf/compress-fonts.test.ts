/** Tests compress_pdf on files that consist mainly of fonts, application data or duplicates. */
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { compress, difference, textOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import { wholeFontFile } from './test-font-files.ts';

afterAll(emptyFolder);

describe('compress_pdf', () => {
  it.each(['simple', 'composite'] as const)(
    'embeds only the used glyphs of a %s font, and renders the same page',
    async (kind) => {
      const path = put(`${kind}.pdf`, await wholeFontFile(kind));
      const result = await compress(path);
      expect(result.bytes.length).toBeLessThan(30_000);
      expect(difference(path, result.path)).toBe(0);
      expect(textOf(result.path)).toBe(textOf(path));
      expect(run('pdffonts', result.path)).toMatch(/[A-Z]{6}\+DejaVuSans/);
      expect(result.meta.saved).toMatchObject({ fonts: expect.any(Number) });
    },
  );

  it('keeps only the widths of the shown glyphs of a composite font', async () => {
    const noise = (at: number) => 300 + ((at * at * 7919) % 997);
    const list = Array.from({ length: 3000 }, (_, at) => noise(at));
    const bytes = await wholeFontFile('composite', ({ context }) => {
      const descendants = context.enumerateIndirectObjects().map(([, value]) => value);
      const isFont = (value: unknown): value is PDFDict =>
        value instanceof PDFDict && value.has(PDFName.of('CIDSystemInfo'));
      // The page shows the CIDs 36 to 38.
      const widths = [0, list.slice(0, 37), 37, 37, 555, 38, list.slice(38)];
      descendants.find(isFont)?.set(PDFName.of('W'), context.obj(widths));
    });
    const path = put('widths.pdf', bytes);
    const result = await compress(path);
    const { qpdf } = JSON.parse(run('qpdf', '--json', '--json-key=qpdf', result.path));
    const fonts = Object.values<{ value?: Record<string, unknown> }>(qpdf[1]);
    const written = fonts.flatMap(({ value }) =>
      value?.['/W'] && '/DW' in value ? [value['/W']] : [],
    );
    expect(written).toEqual([[36, [noise(36), 555, noise(38)]]]);
    expect(difference(path, result.path)).toBe(0);
  });

  it('keeps the glyphs of all composite fonts that share a descendant font', async () => {
    const bytes = await wholeFontFile('composite', (document) => {
      const { context } = document;
      const page = document.getPage(0);
      // Each CID is mapped to the glyph after it, because readers use CIDs beyond the map as glyph numbers.
      const glyphs = Array.from({ length: 255 }, (_, cid) => [0, cid + 1]).flat();
      const map = context.register(context.flateStream(Uint8Array.from(glyphs)));
      const dictionaries = context.enumerateIndirectObjects().map(([, value]) => value);
      const fonts = dictionaries.filter((value) => value instanceof PDFDict);
      for (const font of fonts) {
        if (font.has(PDFName.of('CIDToGIDMap'))) font.set(PDFName.of('CIDToGIDMap'), map);
      }
      const first = fonts.find((font) => font.has(PDFName.of('DescendantFonts')));
      page.node.setFontDictionary(PDFName.of('F2'), context.register(first!.clone()) as never);
      const lines =
        'BT /F1 24 Tf 20 100 Td <002400250026> Tj /F2 24 Tf 0 -50 Td <002700280029> Tj ET';
      page.node.set(PDFName.of('Contents'), context.register(context.flateStream(lines)));
    });
    const path = put('shared-descendant.pdf', bytes);
    const result = await compress(path);
    expect(result.meta.undone).toEqual([]);
    expect(result.bytes.length).toBeLessThan(30_000);
    expect(difference(path, result.path)).toBe(0);
  });

  it('keeps all glyphs of a font used by a form field', async () => {
    const bytes = await wholeFontFile('simple', (document) => {
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

  it('removes private data, thumbnails and padding, and writes identical streams once', async () => {
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
    const thumbnail = Buffer.from(noise(17, 9000)).toString('base64');
    const seen = `<x/><xmp:Thumbnails>${thumbnail}</xmp:Thumbnails>`;
    const xmp = `<?xpacket begin?>${seen}${' '.repeat(9000)}<?xpacket end="w"?>`;
    const copy = PDFString.of(Buffer.from(noise(19, 9000)).toString('base64'));
    const annotation = { Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9], Contents: 'a' };
    const marked = context.obj({ ...annotation, 'AAPL:AKAnnotationObject': copy });
    const annotations = context.obj([context.register(marked)]);
    document.getPage(0).node.set(PDFName.of('Annots'), annotations);
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

  it('writes a file that declares PDF/A-1 without object streams and with readable metadata', async () => {
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
