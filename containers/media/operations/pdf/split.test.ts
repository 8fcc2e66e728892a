/** Tests split_pdf on real files. The results are read with qpdf, poppler and unzip. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { parsePageRanges } from '../../../../src/tools/split_pdf/page-ranges.ts';
import { run } from '../test-operation.ts';
import { book, emptyFolder, folder, operate, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

const alpha = book('Alpha', 6, 'a');
const split = (ranges: readonly string[], path = alpha) =>
  operate('split_pdf', { ranges: ranges.map(parsePageRanges) }, [path]);

function unzipped(path: string): Record<string, string> {
  const directory = `${path}-content`;
  run('unzip', '-q', path, '-d', directory);
  const names = run('unzip', '-Z1', path).trim().split('\n');
  return Object.fromEntries(names.map((name) => [name, join(directory, name)]));
}

describe('split_pdf', () => {
  it('returns one range as a PDF whose pages look the same', async () => {
    const part = await split(['2-4']);
    expect(part.contentType).toBe('application/pdf');
    expect(part.meta).toEqual({ pageCount: 6, pages: 3 });
    expect(look.renderings(part.path)).toEqual(look.renderings(alpha).slice(1, 4));
    look.check(part.path);
  });

  it('returns several ranges as a ZIP in order, without ranges that select no page', async () => {
    const parts = await split(['5-99', '1', '7', '1,3-4', '1']);
    expect(parts.meta).toEqual({ pageCount: 6, partPages: [2, 1, 3, 1] });
    run('unzip', '-t', parts.path);
    const files = unzipped(parts.path);
    expect(Object.keys(files)).toEqual([
      'pages-5-99.pdf',
      'pages-1.pdf',
      'pages-1_3-4.pdf',
      'pages-1 (2).pdf',
    ]);
    expect(Object.values(files).map(look.pageCount)).toEqual([2, 1, 3, 1]);
    for (const file of Object.values(files)) look.check(file);
  });

  it('keeps the title of a file with its document information in the trailer', async () => {
    const path = put('direct.pdf', file(simple(), '/Info<</Title(Direct)>>'));
    const part = await split(['1'], path);
    expect(run('pdfinfo', part.path)).toMatch(/^Title: +Direct$/m);
  });

  it('returns a ZIP even if only one of several ranges selects pages', async () => {
    const parts = await split(['1', '99']);
    expect(parts.contentType).toBe('application/zip');
    expect(Object.keys(unzipped(parts.path))).toEqual(['pages-1.pdf']);
  });

  it('keeps only the bookmarks of selected pages', async () => {
    const part = await split(['2,4']);
    expect(look.outlines(part.path)).toEqual([
      {
        title: 'Alpha chapter 1',
        page: 1,
        open: true,
        kids: [{ title: 'Alpha section 1', page: 1, open: true, kids: [] }],
      },
    ]);
  });

  it('keeps links among the selected pages, also named ones, and page labels', async () => {
    const part = await split(['1-3']);
    expect(look.links(part.path)).toEqual(look.links(alpha));
    expect(look.links(part.path).length).toBe(3);
    expect(JSON.stringify(look.pageLabels(part.path))).toContain('"u:a"');
  });

  it('leaves no data of the other pages in the file', async () => {
    const part = await split(['2']);
    const text = look.uncompressed(part.path);
    expect(text).toContain('secret of page 2');
    expect(text).not.toMatch(/secret of page [^2]/);
    expect(text).not.toContain('chapter 3');
    expect(part.bytes.length).toBeLessThan(readFileSync(alpha).length);
  });

  it('keeps the fields of the selected pages and removes the values of others', async () => {
    const document = await PDFDocument.create();
    for (const page of [1, 2]) {
      const field = document.getForm().createTextField(`person.page${page}`);
      field.setText(`value of page ${page}`);
      field.addToPage(document.addPage([300, 200]), { x: 20, y: 100, width: 200, height: 40 });
    }
    const path = put('form.pdf', await document.save());
    const part = await split(['2'], path);
    const fields = (await PDFDocument.load(part.bytes)).getForm().getFields();
    expect(fields.map((field) => field.getName())).toEqual(['person.page2']);
    expect(look.uncompressed(part.path)).not.toContain('page1');
    expect(look.renderings(part.path)).toEqual(look.renderings(path).slice(1));
    look.check(part.path);
  });

  it('repeats pages listed twice in one range', async () => {
    const part = await split(['3,3,1-2']);
    const all = look.renderings(alpha);
    expect(look.renderings(part.path)).toEqual([all[2], all[2], all[0], all[1]]);
    look.check(part.path);
  });

  it('keeps the structure of tagged pages and removes that of others', async () => {
    const tagged = put('tagged.pdf', taggedFile());
    look.check(tagged);
    const part = await split(['2'], tagged);
    const text = look.uncompressed(part.path);
    expect(text).toContain('alternative 2');
    expect(text).not.toContain('alternative 1');
    expect(run('pdfinfo', '-struct', part.path)).toContain('Figure');
    look.check(part.path);
  });

  it('summarizes a thousand dropped ranges in less than 1 kB', async () => {
    const parts = await split(['1', ...Array(999).fill(`7${',8'.repeat(4000)}`)]);
    expect(JSON.stringify(parts.meta).length).toBeLessThan(1024);
  });

  it('returns 422 if no range selects a page', async () => {
    await expect(split(['7', '8-9999999999'])).rejects.toMatchObject({ status: 422 });
  });

  it.each([[[]], ['1'], [[1]], [['1']], [[[1, 2]]], [[[[0, 1]]]], [[[[1, null]]]], [undefined]])(
    'refuses ranges that are not parsed: %j',
    async (ranges) => {
      const refused = operate('split_pdf', { ranges }, [alpha]);
      await expect(refused).rejects.toMatchObject({ status: 400, param: 'ranges' });
    },
  );

  it('reads an encrypted file with an empty password and object streams', async () => {
    const locked = join(folder, 'locked.pdf');
    run('qpdf', '--object-streams=generate', '--encrypt', '', 'x', '256', '--', alpha, locked);
    const part = await split(['3'], locked);
    expect(look.renderings(part.path)).toEqual([look.renderings(alpha)[2]]);
    expect(look.outlines(part.path)).toEqual([
      { title: 'Alpha chapter 3', page: 1, open: true, kids: [] },
    ]);
  });
});

/**
 * Makes two pages with one tagged figure each. The objects are written here, because no installed program can write
 * tags.
 */
function taggedFile(): string {
  const page = (number: number, content: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents ${content} 0 R/StructParents ${number}>>`;
  const content = '/Figure <</MCID 0>> BDC 9 9 50 50 re f EMC';
  const stream = `<</Length ${content.length}>>\nstream\n${content}\nendstream`;
  const figure = (number: number) =>
    `<</Type/StructElem/S/Figure/P 8 0 R/Pg ${number + 2} 0 R/K 0/Alt(alternative ${number})/Ref[${11 - number} 0 R]>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 7 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    page(0, 5),
    page(1, 6),
    stream,
    stream,
    '<</Type/StructTreeRoot/K 8 0 R/ParentTree 11 0 R>>',
    '<</Type/StructElem/S/Document/P 7 0 R/K[9 0 R 10 0 R]>>',
    figure(1),
    figure(2),
    '<</Nums[0[9 0 R]1[10 0 R]]>>',
  ];
  let text = '%PDF-1.7\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [index, object] of objects.entries()) {
    table += `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\n`;
  return `${text}${table}${trailer}startxref\n${text.length}\n%%EOF\n`;
}
