/** Tests merge_pdf on real files. The results are read with qpdf and poppler. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { book, emptyFolder, folder, operate, put } from './test-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

const alpha = book('Alpha', 4, 'a');
const beta = book('Beta', 5, 'b');
const merge = (...paths: string[]) => operate('merge_pdf', {}, paths);

async function form(name: string, field: string, value: string): Promise<string> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 200]);
  const text = document.getForm().createTextField(field);
  text.setText(value);
  text.addToPage(page, { x: 20, y: 100, width: 200, height: 40 });
  const box = document.getForm().createCheckBox(`${field}.agreed`.replace('.', '_'));
  box.addToPage(page, { x: 20, y: 20, width: 20, height: 20 });
  box.check();
  return put(`${name}.pdf`, await document.save());
}

function withObjectStreams(path: string): string {
  const out = path.replace('.pdf', '-streams.pdf');
  run('qpdf', '--object-streams=generate', path, out);
  return out;
}

const BETA_OUTLINES = [
  {
    title: 'Beta chapter 1',
    page: 5,
    open: true,
    kids: [{ title: 'Beta section 1', page: 6, open: true, kids: [] }],
  },
  { title: 'Beta chapter 3', page: 7, open: true, kids: [] },
];

describe('merge_pdf', () => {
  it.each([
    ['cross-reference tables', alpha, beta],
    ['object streams', withObjectStreams(alpha), withObjectStreams(beta)],
    ['a mixture of both', alpha, withObjectStreams(beta)],
  ])('keeps pages, bookmarks, links, labels and info of files with %s', async (_, one, two) => {
    const merged = await merge(one, two);
    expect(look.check(merged.path)).toContain('No syntax or stream encoding errors');
    expect(merged.meta).toEqual({ pages: 9 });
    expect(look.renderings(merged.path)).toEqual([
      ...look.renderings(one),
      ...look.renderings(two),
    ]);
    const titles = look.outlines(merged.path).map(({ title }) => title);
    expect(titles.slice(0, 2)).toEqual(['Alpha chapter 1', 'Alpha chapter 3']);
    expect(look.outlines(merged.path).slice(2)).toEqual(BETA_OUTLINES);
    const shifted = look.links(two).map(([from, to]) => [from + 4, to + 4]);
    expect(look.links(merged.path)).toEqual([...look.links(one), ...shifted]);
    expect(shifted).toContainEqual([5, 6]);
    expect(shifted).toContainEqual([5, 7]);
    expect(JSON.stringify(look.pageLabels(merged.path))).toMatch(/"index":0.*u:a.*"index":4.*u:b/);
    expect(run('pdfinfo', merged.path)).toMatch(/Title: +Alpha info/);
  });

  it('keeps the bookmarks of a later file if the first has none', async () => {
    const plain = join(folder, 'plain.pdf');
    run('qpdf', '--empty', '--pages', alpha, '2', '--', plain);
    const merged = await merge(plain, beta, alpha);
    const seen = look.outlines(merged.path).map(({ title, page }) => [title, page]);
    expect(seen).toEqual([
      ['Beta chapter 1', 2],
      ['Beta chapter 3', 4],
      ['Alpha chapter 1', 7],
      ['Alpha chapter 3', 9],
    ]);
    look.check(merged.path);
  });

  it('keeps form fields with equal names, with their values and appearance', async () => {
    const one = await form('form-1', 'name', 'Ada');
    const two = await form('form-2', 'name', 'Grace');
    const merged = await merge(one, two);
    look.check(merged.path);
    expect(look.renderings(merged.path)).toEqual([
      ...look.renderings(one),
      ...look.renderings(two),
    ]);
    const read = await PDFDocument.load(merged.bytes);
    const fields = read.getForm().getFields();
    expect(new Set(fields.map((field) => field.getName())).size).toBe(4);
    const values = fields.flatMap((field) =>
      'getText' in field ? [read.getForm().getTextField(field.getName()).getText()] : [],
    );
    expect(values).toEqual(['Ada', 'Grace']);
  });

  it('keeps the attachments of all files, even with equal names', async () => {
    const note = put('note.txt', 'first');
    const other = put('other.txt', 'second');
    const one = join(folder, 'attached-1.pdf');
    const two = join(folder, 'attached-2.pdf');
    run('qpdf', alpha, '--add-attachment', note, '--key=note', '--', one);
    run('qpdf', beta, '--add-attachment', other, '--key=note', '--', two);
    const merged = await merge(one, two);
    look.check(merged.path);
    const listed = run('qpdf', '--list-attachments', merged.path);
    expect(listed).toMatch(/^note ->/m);
    expect(listed).toMatch(/^note \(2\) ->/m);
    expect(run('qpdf', '--show-attachment=note (2)', merged.path)).toBe('second');
    expect(look.uncompressed(merged.path)).not.toContain('ToolsServiceCarried');
  });

  // A function call with 150,000 arguments would overflow the stack.
  it.each([1, 150_000])(
    'keeps a hidden layer of a later file hidden with an order of %i items',
    async (items) => {
      const layered = put(
        'layered.pdf',
        await (async () => {
          const document = await PDFDocument.create();
          const page = document.addPage([200, 200]);
          const { context } = document;
          const group = context.register(context.obj({ Type: 'OCG', Name: 'hidden' }));
          document.catalog.set(
            PDFName.of('OCProperties'),
            context.obj({ OCGs: [group], D: { OFF: [group], Order: Array(items).fill(group) } }),
          );
          page.node.set(PDFName.of('Resources'), context.obj({ Properties: { L: group } }));
          const content = context.stream('/OC /L BDC 0 0 200 200 re f EMC');
          page.node.set(PDFName.of('Contents'), context.register(content));
          return document.save();
        })(),
      );
      const merged = await merge(alpha, layered);
      expect(look.renderings(merged.path)[4]).toBe(look.renderings(layered)[0]);
      look.check(merged.path);
    },
  );

  it('reads a file encrypted with an empty user password', async () => {
    const locked = join(folder, 'empty-password.pdf');
    run('qpdf', '--encrypt', '', 'owner', '256', '--', beta, locked);
    const merged = await merge(alpha, locked);
    expect(look.check(merged.path)).toContain('not encrypted');
    expect(look.outlines(merged.path).slice(2)).toEqual(BETA_OUTLINES);
  });

  it('refuses a file that requires a password, naming it', async () => {
    const locked = join(folder, 'locked.pdf');
    run('qpdf', '--encrypt', 'secret', 'owner', '256', '--', beta, locked);
    await expect(merge(alpha, locked)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"locked.pdf" is protected by a password'),
    });
  });

  it('repairs a file without its cross-reference table', async () => {
    const bytes = readFileSync(beta, 'latin1');
    const damaged = put('damaged.pdf', bytes.slice(0, bytes.lastIndexOf('xref\n0')));
    const merged = await merge(alpha, damaged);
    expect(look.pageCount(merged.path)).toBe(9);
    expect(look.outlines(merged.path).slice(2)).toEqual(BETA_OUTLINES);
    look.check(merged.path);
  });

  it('repairs a file with object streams that has lost bytes in the middle', async () => {
    const bytes = readFileSync(withObjectStreams(beta), 'latin1');
    const cut = bytes.indexOf('endobj');
    const damaged = put('holes.pdf', `${bytes.slice(0, cut)}${bytes.slice(cut + 7)}`);
    const merged = await merge(alpha, damaged);
    expect(look.pageCount(merged.path)).toBe(9);
    look.check(merged.path);
  });

  it('reads a file with leading bytes before its header', async () => {
    const shifted = put('shifted.pdf', `junk\n${readFileSync(beta, 'latin1')}`);
    expect(look.pageCount((await merge(alpha, shifted)).path)).toBe(9);
  });

  it('refuses a file whose pages have lost their fonts instead of dropping them, naming it', async () => {
    const plain = join(folder, 'plain.pdf');
    run('qpdf', '--qdf', '--object-streams=disable', beta, plain);
    const bytes = readFileSync(plain, 'latin1').replaceAll(
      /\n\d+ 0 obj(?=[^>]*\/BaseFont)/g,
      '\n%',
    );
    const fontless = put('fontless.pdf', bytes.slice(0, bytes.lastIndexOf('xref\n0')));
    await expect(merge(alpha, fontless)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"fontless.pdf" is damaged beyond repair'),
    });
  });

  it('refuses an irreparable file, naming it', async () => {
    const garbage = put('garbage.pdf', `%PDF-1.7\n${'garbage '.repeat(1000)}`);
    await expect(merge(alpha, garbage)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"garbage.pdf" is damaged beyond repair'),
    });
  });

  it('refuses a file that is not a PDF, naming it', async () => {
    const text = put('text.pdf', 'Hello');
    await expect(merge(alpha, text)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"text.pdf" is not a PDF'),
    });
  });

  it('refuses a single file', async () => {
    await expect(merge(alpha)).rejects.toMatchObject({ status: 400 });
  });

  it('merges a file with itself', async () => {
    const merged = await merge(beta, beta, beta);
    expect(look.pageCount(merged.path)).toBe(15);
    expect(look.links(merged.path)).toContainEqual([11, 12]);
    look.check(merged.path);
  });
});
