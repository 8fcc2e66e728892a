/** Tests that compress_pdf reduces ToUnicode CMaps to the shown codes. */
import { type PDFDict, type PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { compress, textOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';
import { wholeFontFile } from './test-font-files.ts';

afterAll(emptyFolder);

const hex = (value: number) => value.toString(16).padStart(4, '0');

/** Wraps entries in a CMap whose first 3,000 entries are for codes that the page does not show. */
function unicodeMap(entries: string): string {
  const others = Array.from(
    { length: 3000 },
    (_, at) => `<${hex(1000 + at)}> <${hex(0x4e00 + ((at * at * 7919) % 20_000))}>\n`,
  );
  return `%!PS-Adobe-3.0 Resource-CMap
/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <0000> <ffff> endcodespacerange
3000 beginbfchar
${others.join('')}endbfchar
${entries}
endcmap end end`;
}

const withMap = (map: string, fill?: (document: PDFDocument, font: PDFDict) => void) =>
  wholeFontFile('composite', (document) => {
    const { context } = document;
    const fonts = document.getPage(0).node.Resources()?.lookup(PDFName.of('Font')) as PDFDict;
    const font = fonts.lookup(PDFName.of('F1')) as PDFDict;
    font.set(PDFName.of('ToUnicode'), context.register(context.flateStream(map)));
    fill?.(document, font);
  });

/** Returns the ToUnicode CMap of the only font that has one. */
function mapOf(path: string): string {
  const { qpdf } = JSON.parse(run('qpdf', '--json', '--json-key=qpdf', path));
  const values = Object.values<{ value?: Record<string, string> }>(qpdf[1]);
  const reference = values.flatMap(({ value }) => value?.['/ToUnicode'] ?? [])[0] as string;
  return run('qpdf', `--show-object=${reference.split(' ')[0]}`, '--filtered-stream-data', path);
}

describe('compress_pdf', () => {
  // The page shows the codes 0024 to 0026.
  it.each([
    ['1 beginbfrange <0000> <00ff> <D83DDE00> endbfrange', ['<0024><0026><d83dde24>']],
    ['1 beginbfrange <0020> <0026> <0041> endbfrange', ['<0024><0026><0045>']],
    [
      '1 beginbfrange <0023> <0026> [<0041> <00660069> <0042> <0043>] endbfrange',
      ['<0024><00660069>', '<0025><0042>', '<0026><0043>'],
    ],
    ['2 beginbfchar <0024> <0058> <0026> <0059> endbfchar', ['<0024><0058>', '<0026><0059>']],
  ])('keeps the entries of the shown codes of a ToUnicode CMap: %s', async (entries, expected) => {
    const path = put('unicode.pdf', await withMap(unicodeMap(entries)));
    const result = await compress(path);
    expect(mapOf(result.path).match(/^<.*>$/gm)).toEqual(['<0000><ffff>', ...expected]);
    expect(textOf(result.path)).toBe(textOf(path));
    expect(result.meta.saved).toMatchObject({ 'Unicode maps': expect.any(Number) });
    expect(run('qpdf', '--check', result.path)).toContain('No syntax or stream encoding errors');
  });

  it.each([
    ['refers to another CMap', '/Other usecmap'],
    ['has codes of four bytes', '1 beginbfchar <00000024> <0041> endbfchar'],
    ['names a glyph', '1 beginbfchar <0024> /A endbfchar'],
    ['lists too many codes', '<0000> <ffff> <0000>\n'.repeat(9).replace(/$/, 'endbfrange')],
  ])('keeps a ToUnicode CMap that %s', async (_, entries) => {
    const result = await compress(put('kept.pdf', await withMap(unicodeMap(entries))));
    expect(result.meta.saved).not.toHaveProperty('Unicode maps');
    expect(mapOf(result.path)).toContain(hex(3999));
  });

  it('keeps the ToUnicode CMap of a font used by a form field', async () => {
    const map = unicodeMap('1 beginbfrange <0000> <00ff> <0041> endbfrange');
    const bytes = await withMap(map, (document, font) => {
      const field = document.getForm().createTextField('name');
      field.addToPage(document.getPage(0), { x: 20, y: 20, width: 100, height: 20 });
      const form = document.catalog.lookup(PDFName.of('AcroForm')) as PDFDict;
      form.set(PDFName.of('DR'), document.context.obj({ Font: { F1: font } }));
    });
    const result = await compress(put('field.pdf', bytes));
    expect(mapOf(result.path || put('same.pdf', bytes))).toContain(hex(3999));
  });
});
