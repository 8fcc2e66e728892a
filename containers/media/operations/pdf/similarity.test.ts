/** Tests which differences between two versions of a PDF are detected. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { PdfDocument } from '../../pdf/document.ts';
import { takeInventory } from '../../pdf/inventory.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { WorkLimit } from '../../work-limit.ts';
import { run } from '../test-operation.ts';
import { beginOriginal, lossOf, type Original } from './similarity.ts';
import { book, emptyFolder, folder, put } from './test-files.ts';
import { type ImagePage, imageFile, jpegImage } from './test-image-files.ts';

afterAll(emptyFolder);

/** Returns a description of the content that the first file contains and the second lacks. */
async function loss(
  before: string,
  after: string,
  overrides: Partial<Original> = {},
): Promise<string | undefined> {
  const directory = mkdtempSync(join(folder, 'similarity-'));
  const context = { directory, signal: new AbortController().signal, limit: new WorkLimit(0) };
  const inventory = takeInventory(new PdfDocument(readFileSync(before)));
  const pages = Array.from({ length: inventory.pages }, (_, index) => index + 1);
  const original = { ...beginOriginal(before, inventory, true, context), ...overrides };
  return lossOf(after, original, { all: pages, lossy: new Set(pages) }, context);
}

const page = async (seed: number, across = 200): Promise<ImagePage> => ({
  image: await jpegImage(100, 120, seed),
  across,
});

const file = async (
  name: string,
  pages: ImagePage[],
  change?: (document: PDFDocument) => Promise<void> | void,
) => put(name, await imageFile(pages, change));

describe('the PDF comparison', () => {
  it('finds nothing between a file and its copy', async () => {
    const path = await file('same.pdf', [await page(1), await page(2)]);
    const copy = put('copy.pdf', readFileSync(path));
    expect(await loss(path, copy)).toBeUndefined();
  });

  it('detects a lost page, image, word and appearance', async () => {
    const two = await file('two.pdf', [await page(1), await page(2)]);
    expect(await loss(two, await file('one.pdf', [await page(1)]))).toBe('pages');
    const single = await file('single.pdf', [await page(1)]);
    const without = await file('without.pdf', [await page(1)], (document) => {
      document.getPage(0).node.delete(PDFName.of('Resources'));
    });
    expect(await loss(single, without)).toBe('images');
    const talking = await file('talking.pdf', [await page(1)], (document) => {
      document.getPage(0).drawText('More', { x: 300, y: 40, size: 8 });
    });
    expect(await loss(talking, single)).toBe('text');
    const other = await file('other.pdf', [await page(5)]);
    expect(await loss(single, other)).toBe('the appearance of pages');
    const moved = await file('moved.pdf', [await page(1, 180)]);
    expect(await loss(single, moved)).toBe('the appearance of pages');
  });

  it('detects lost links, form fields, attachments and document information', async () => {
    const retained = book('kept');
    const dropped = put('dropped.pdf', '');
    run('gs', '-q', '-sDEVICE=pdfwrite', '-dPreserveAnnots=false', '-o', dropped, retained);
    expect(await loss(retained, dropped)).toBe('annotations');
    const single = await file('plain.pdf', [await page(1)]);
    const form = await file('form.pdf', [await page(1)], (document) => {
      document.getForm().createTextField('name');
    });
    expect(await loss(form, single)).toBe('form fields');
    const attached = await file('attached.pdf', [await page(1)], (document) =>
      document.attach(Buffer.from('x'), 'x.txt'),
    );
    expect(await loss(attached, single)).toBe('attachments');
    const named = await file('named.pdf', [await page(1)], (document) => document.setAuthor('Me'));
    expect(await loss(named, single)).toBe('document information');
  });

  it('reports an unreadable file as lost', async () => {
    const single = await file('whole.pdf', [await page(1)]);
    expect(await loss(single, put('empty.pdf', '%PDF-1.4\n%%EOF\n'))).toBe('its validity');
  });

  it('throws if the original cannot be rendered', async () => {
    const single = await file('rendered.pdf', [await page(1)]);
    const failure = new ProgramFailure('pdftoppm', null, 'SIGSEGV', '');
    const original = { looks: () => Promise.reject(failure) };
    await expect(loss(single, single, original)).rejects.toBe(failure);
  });
});
