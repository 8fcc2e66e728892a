/** Tests that compress_pdf gives each font of a page one name. */
import { type PDFDict, PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { Draft } from '../../pdf/compress/draft.ts';
import { mergeResourceNames } from '../../pdf/compress/resource-names.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { run } from '../test-operation.ts';
import { compress, difference, textOf } from './test-compress.ts';
import { emptyFolder, put } from './test-files.ts';

afterAll(emptyFolder);

/** Makes a page on which pdf-lib has listed one font once for each of 60 texts. */
async function namedOften(fill?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 700]);
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const other = await document.embedFont(StandardFonts.Courier);
  for (let at = 0; at < 60; at += 1) {
    const own = at % 20 === 0 ? other : font;
    page.drawText(`Text ${at * at}`, { x: 20, y: 680 - at * 11, size: 9, font: own });
  }
  fill?.(document);
  return document.save();
}

/** Returns the names of the fonts of a page. */
async function fontsOf(bytes: Uint8Array, index = 0): Promise<string[]> {
  const page = (await PDFDocument.load(bytes)).getPage(index);
  const fonts = page.node.Resources()?.lookup(PDFName.of('Font')) as PDFDict;
  return fonts.keys().map(String);
}

const changedPages = (bytes: Uint8Array) => mergeResourceNames(new Draft(new PdfDocument(bytes)));

describe('compress_pdf', () => {
  it('gives a font that a page lists many times one name', async () => {
    const bytes = await namedOften();
    const path = put('named.pdf', bytes);
    expect((await fontsOf(bytes)).length).toBeGreaterThanOrEqual(60);
    const result = await compress(path);
    expect(await fontsOf(result.bytes)).toHaveLength(2);
    expect(result.bytes.length).toBeLessThan(bytes.length * 0.7);
    expect(result.meta.undone).toEqual([]);
    expect(textOf(result.path)).toBe(textOf(path));
    expect(difference(path, result.path)).toBe(0);
    expect(run('qpdf', '--check', result.path)).toContain('No syntax or stream encoding errors');
  });

  it('keeps the names that other operators use', async () => {
    let name = '';
    const bytes = await namedOften((document) => {
      const { node } = document.getPage(0);
      const fonts = node.Resources()?.lookup(PDFName.of('Font')) as PDFDict;
      name = String(fonts.keys()[30]);
      const marked = document.context.flateStream(`${name} BMC ${name} 8 Tf EMC`);
      node.addContentStream(document.context.register(marked));
    });
    const result = await compress(put('marked.pdf', bytes));
    const names = await fontsOf(result.bytes);
    expect(names).toContain(name);
    expect(names).toHaveLength(3);
  });

  it('keeps all names if a form without resources may use those of the page', async () => {
    const bytes = await namedOften((document) => {
      const { context } = document;
      const form = context.flateStream('0 0 9 9 re f', {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 9, 9],
      });
      document.getPage(0).node.setXObject(PDFName.of('X'), context.register(form));
    });
    const result = await compress(put('form.pdf', bytes));
    expect((await fontsOf(result.bytes || bytes)).length).toBeGreaterThanOrEqual(60);
  });

  it('keeps the names that several pages share', async () => {
    const bytes = await namedOften((document) => {
      const resources = document.context.register(document.getPage(0).node.Resources()!);
      for (const { node } of [document.getPage(0), document.addPage([300, 700])]) {
        node.set(PDFName.of('Resources'), resources);
      }
    });
    expect(changedPages(bytes)).toEqual([]);
  });

  it('reads a limited amount of content, which many pages may share', async () => {
    const bytes = await namedOften((document) => {
      const { context } = document;
      const { node } = document.getPage(0);
      const space = context.register(context.flateStream(' '.repeat(20 * 1024 * 1024)));
      node.addContentStream(space);
      const other = document.addPage([300, 700]).node;
      other.set(PDFName.of('Contents'), node.Contents()!);
      other.set(PDFName.of('Resources'), node.Resources()!.clone(context));
      const fonts = node.Resources()!.lookup(PDFName.of('Font')) as PDFDict;
      other.Resources()!.set(PDFName.of('Font'), fonts.clone(context));
    });
    expect(changedPages(bytes)).toEqual([0]);
  });
});
