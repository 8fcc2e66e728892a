/**
 * Tests split_pdf with so many parts that our code writes them instead of qpdf. They must match the parts that qpdf
 * writes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDict, PDFDocument, PDFName, PDFNull } from 'pdf-lib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parsePageRanges } from '../../../../src/tools/split_pdf/page-ranges.ts';
import { run } from '../test-operation.ts';
import { book, distilled, emptyFolder, operate, put } from './test-files.ts';
import { file } from './test-hostile-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

const counted = put('runs', '');
const programs = `${counted}-programs`;
mkdirSync(programs);
const script = `#!/bin/sh\necho >> ${counted}\nPATH=${process.env.PATH} exec qpdf "$@"\n`;
writeFileSync(join(programs, 'qpdf'), script, { mode: 0o755 });
// PATH must change before the first task, because a document process keeps the PATH that was set when it started.
vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
const qpdfRuns = () => readFileSync(counted, 'utf8').length;

/**
 * Ranges that select no page and therefore produce no part. They increase the number of ranges beyond the limit for
 * qpdf, so our own writer is used.
 */
const MANY = ['1', '2', '3', '4', '5'];

/** Returns the part that qpdf writes for a range, and the part that we write. */
async function both(path: string, range: string): Promise<{ theirs: string; ours: string }> {
  const { path: theirs } = await operate('split_pdf', { ranges: [parsePageRanges(range)] }, [path]);
  const { path: zip } = await operate(
    'split_pdf',
    { ranges: [range, ...MANY].map(parsePageRanges) },
    [path],
  );
  const directory = `${zip}-content`;
  run('unzip', '-q', zip, '-d', directory);
  const [first] = run('unzip', '-Z1', zip).trim().split('\n');
  return { theirs, ours: join(directory, first!) };
}

const text = (path: string) => run('pdftotext', '-raw', path, '-');

async function expectAlike(path: string, range: string): Promise<string> {
  const { theirs, ours } = await both(path, range);
  look.check(ours);
  expect(look.pageCount(ours)).toBe(look.pageCount(theirs));
  expect(look.renderings(ours)).toEqual(look.renderings(theirs));
  expect(text(ours)).toBe(text(theirs));
  expect(look.links(ours)).toEqual(look.links(theirs));
  expect(look.outlines(ours)).toEqual(look.outlines(theirs));
  expect(look.pageLabels(ours)).toEqual(look.pageLabels(theirs));
  expect(run('pdfinfo', ours)).toContain('Pages:');
  return ours;
}

const alpha = book('Alpha', 8, 'a');

describe('split_pdf into many parts', () => {
  it.each(['1-3', '2,4', '3,1', '4', '5-8'])(
    'writes the same pages, links, bookmarks and labels as qpdf: %s',
    async (range) => {
      await expectAlike(alpha, range);
    },
  );

  it('splits a file with object streams, also encrypted with an empty user password', async () => {
    const locked = put('locked.pdf', '');
    run('qpdf', '--object-streams=generate', '--encrypt', '', 'x', '256', '--', alpha, locked);
    const packed = put('packed.pdf', '');
    run('qpdf', '--object-streams=generate', alpha, packed);
    for (const path of [locked, packed]) {
      const part = await expectAlike(path, '1-3');
      expect(readFileSync(part, 'latin1')).toContain('/ObjStm');
    }
  });

  it('leaves no data of the other pages in a part', async () => {
    const { ours } = await both(alpha, '2');
    const all = look.uncompressed(ours);
    expect(all).toContain('secret of page 2');
    expect(all).not.toMatch(/secret of page [^2]/);
    expect(all).not.toContain('chapter 3');
    expect(readFileSync(ours).length).toBeLessThan(readFileSync(alpha).length);
  });

  it('copies inherited attributes to each page', async () => {
    const document = await PDFDocument.create();
    for (let page = 1; page <= 8; page += 1) {
      document.addPage().drawText(`page ${page}`, { x: 20, y: 20 });
      document.getPage(page - 1).node.delete(PDFName.of('MediaBox'));
    }
    const { context, catalog } = document;
    catalog.Pages().set(PDFName.of('MediaBox'), context.obj([0, 0, 200, 90]));
    catalog.Pages().set(PDFName.of('Rotate'), context.obj(90));
    // A null entry is equivalent to a missing one.
    document.getPage(1).node.set(PDFName.of('Rotate'), PDFNull);
    const part = await expectAlike(put('inheriting.pdf', await document.save()), '2-3');
    expect(run('pdfinfo', part)).toMatch(/Page size:\s+200 x 90[\s\S]*Page rot:\s+90/);
  });

  it('follows the page tree if pages name no parent or a wrong one', async () => {
    const document = await PDFDocument.create();
    for (let page = 1; page <= 8; page += 1) {
      document.addPage([200, 90]).drawText(`page ${page}`, { x: 20, y: 20 });
    }
    const { context, catalog } = document;
    const pages = document.getPages().map(({ node }) => node);
    const fonts = context.obj({});
    for (const page of pages) {
      const own = page.Resources()!.lookup(PDFName.of('Font'), PDFDict);
      for (const [key, font] of own.entries()) fonts.set(key, font);
      page.delete(PDFName.of('Resources'));
    }
    catalog.Pages().set(PDFName.of('Resources'), context.obj({ Font: fonts }));
    pages[1]!.delete(PDFName.of('Parent'));
    pages[2]!.set(PDFName.of('Parent'), context.register(context.obj({ Type: 'Pages', Kids: [] })));
    const part = await expectAlike(put('orphans.pdf', await document.save()), '2-3');
    expect(text(part)).toMatch(/page 2[\s\S]*page 3/);
  });

  it('keeps the fields of the selected pages and removes the values of others', async () => {
    const document = await PDFDocument.create();
    for (let page = 1; page <= 8; page += 1) {
      const field = document.getForm().createTextField(`person.page${page}`);
      field.setText(`value of page ${page}`);
      field.addToPage(document.addPage([300, 200]), { x: 20, y: 100, width: 200, height: 40 });
    }
    const part = await expectAlike(put('form.pdf', await document.save()), '2');
    const fields = (await PDFDocument.load(readFileSync(part))).getForm().getFields();
    expect(fields.map((field) => field.getName())).toEqual(['person.page2']);
    expect(look.uncompressed(part)).not.toMatch(/page[13-8]/);
  });

  it('repeats a page listed twice in one range', async () => {
    const { ours } = await both(alpha, '3,3');
    const page = look.renderings(alpha)[2];
    expect(look.renderings(ours)).toEqual([page, page]);
  });

  it.each(['for all pages', 'as one object', 'by the images of one object'])(
    'keeps only the images of a page if resources are shared %s',
    async (how) => {
      const document = await PDFDocument.create();
      const { context, catalog } = document;
      const drawn = context.obj({});
      for (let page = 1; page <= 8; page += 1) {
        const marks = context.flateStream(`% secret stamp ${page}\n0 0 ${page} 9 re f`, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 99, 99],
        });
        drawn.set(PDFName.of(`X${page}`), context.register(marks));
        const { node } = document.addPage([200, 90]);
        node.set(PDFName.of('Contents'), context.register(context.stream(`/X${page} Do`)));
        node.delete(PDFName.of('Resources'));
      }
      const resources = context.obj({ XObject: drawn });
      if (how === 'for all pages') catalog.Pages().set(PDFName.of('Resources'), resources);
      const reference = context.register(how === 'as one object' ? resources : drawn);
      for (const { node } of how === 'for all pages' ? [] : document.getPages()) {
        const own = how === 'as one object' ? reference : context.obj({ XObject: reference });
        node.set(PDFName.of('Resources'), own);
      }
      const part = await expectAlike(put('sharing.pdf', await document.save()), '2-3');
      const stamps = look.uncompressed(part).match(/secret stamp \d/g);
      expect(stamps?.sort()).toEqual(['secret stamp 2', 'secret stamp 3']);
    },
  );

  it.each(['twice', 'directly'])('splits a file whose page tree lists a page %s', async (how) => {
    const document = await PDFDocument.create();
    for (let page = 1; page <= 6; page += 1) {
      document.addPage([200, 90]).drawText(`page ${page}`, { x: 20, y: 20 });
    }
    const kids = document.catalog.Pages().Kids();
    kids.set(2, how === 'twice' ? kids.get(1) : document.getPage(2).node);
    const bytes = await document.save({ useObjectStreams: false });
    const part = await expectAlike(put(`${how}.pdf`, bytes), '2-3');
    expect(text(part)).toMatch(how === 'twice' ? /page 2[\s\S]*page 2/ : /page 2[\s\S]*page 3/);
  });

  it('splits 350 pages with a few runs of qpdf instead of one per page', async () => {
    const pages = Array.from(
      { length: 350 },
      (_, page) => `72 700 moveto (${page + 1}) show showpage`,
    );
    const path = distilled('thick', pages.join('\n'));
    const ranges = pages.map((_, page) => [[page + 1, page + 1]]);
    await operate('split_pdf', { ranges: [[[1, 1]]] }, [path]);
    const forOne = qpdfRuns();
    expect(forOne).toBeGreaterThan(0);
    const { path: zip } = await operate('split_pdf', { ranges }, [path]);
    expect(qpdfRuns() - forOne).toBeLessThan(10);
    run('unzip', '-t', zip);
    expect(run('unzip', '-Z1', zip).trim().split('\n')).toHaveLength(350);
  });
});

it('the first of several equal names of destinations takes precedence', async () => {
  const twice = put(
    'twice.pdf',
    file({
      1: '<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(a)[3 0 R/Fit](a)[4 0 R/Fit]]>>>>>>',
      2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    }),
  );
  const named = (path: string) => run('qpdf', '--json', path).includes('u:a');
  expect(named((await both(twice, '1')).ours)).toBe(true);
  expect(named((await both(twice, '2')).ours)).toBe(false);
});
