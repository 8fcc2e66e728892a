import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { ToolError } from '../../core/errors.ts';
import { type InputFile, memoryFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import type { MediaPort, MediaResult } from '../../core/ports.ts';
import { mergePdf } from './merge_pdf.ts';

/** A fake media worker that records its calls. */
class Recorder implements MediaPort {
  readonly calls: { operation: string; names: string[]; signal: AbortSignal }[] = [];

  async run(
    operation: string,
    _params: Record<string, unknown>,
    files: readonly InputFile[],
    signal: AbortSignal,
  ): Promise<MediaResult> {
    this.calls.push({ operation, names: files.map(({ name }) => name), signal });
    const body = new Blob(['%PDF-merged']);
    return { body: body.stream(), contentType: 'application/pdf', size: body.size, meta: {} };
  }
}

type Change = (document: PDFDocument) => void;

/** Returns a PDF with pages of these widths. */
async function pdf(widths: number[], change?: Change): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const width of widths) document.addPage([width, 100]);
  change?.(document);
  return document.save({ useObjectStreams: widths.length % 2 === 0 });
}

async function merge(contents: Uint8Array[], media: MediaPort = new Recorder()) {
  const files = contents.map((bytes, index) => memoryFile(`${index + 1}.pdf`, bytes));
  const { file } = await runTool(mergePdf, {}, { files, ports: { media } });
  return file;
}

async function widthsOf(bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<number[]> {
  expect(bytes).toBeInstanceOf(Uint8Array);
  const document = await PDFDocument.load(bytes as Uint8Array);
  return document.getPages().map((page) => page.getWidth());
}

const text = (content: string) => new TextEncoder().encode(content);
const inCatalog =
  (name: string, value: object): Change =>
  (document) =>
    document.catalog.set(
      PDFName.of(name),
      document.context.register(document.context.obj(value as never)),
    );

describe('merge_pdf at the edge', () => {
  it('merges all pages of small plain files in the given order', async () => {
    const media = new Recorder();
    const merged = await merge(
      [await pdf([101, 102]), await pdf([201]), await pdf([301, 302])],
      media,
    );
    expect(merged).toMatchObject({
      contentType: 'application/pdf',
      filename: 'merged.pdf',
    });
    expect(await widthsOf(merged.body)).toEqual([101, 102, 201, 301, 302]);
    expect(media.calls).toEqual([]);
  });

  it('accepts the same file twice', async () => {
    const one = await pdf([101]);
    expect(await widthsOf((await merge([one, one, one])).body)).toEqual([101, 101, 101]);
  });

  it('keeps boxes, rotation and inherited page attributes', async () => {
    const rotated = await pdf([101], (document) => {
      const page = document.getPage(0);
      page.node.Parent()!.set(PDFName.of('Rotate'), document.context.obj(90));
      page.node.Parent()!.set(PDFName.of('CropBox'), document.context.obj([1, 2, 30, 40]));
    });
    const document = await PDFDocument.load(
      (await merge([await pdf([1]), rotated])).body as Uint8Array,
    );
    expect(document.getPage(1).getRotation().angle).toBe(90);
    expect(document.getPage(1).getCropBox()).toEqual({ x: 1, y: 2, width: 29, height: 38 });
  });

  it('keeps title and author of the first file and adds no metadata', async () => {
    const titled = await pdf([1], (document) => {
      document.setTitle('Grüße');
      document.setAuthor('A. Author');
    });
    const merged = await PDFDocument.load(
      (await merge([titled, await pdf([2])])).body as Uint8Array,
      {
        updateMetadata: false,
      },
    );
    expect(merged.getTitle()).toBe('Grüße');
    expect(merged.getAuthor()).toBe('A. Author');
  });
});

describe('merge_pdf in the media worker', () => {
  const plain = () => pdf([1]);

  async function expectHandedOver(contents: Uint8Array[]): Promise<void> {
    const media = new Recorder();
    const merged = await merge(contents, media);
    expect(media.calls.map(({ operation, names }) => [operation, names])).toEqual([
      ['merge_pdf', contents.map((_, index) => `${index + 1}.pdf`)],
    ]);
    expect(await new Response(merged.body as ReadableStream).text()).toBe('%PDF-merged');
    expect(merged).toMatchObject({
      contentType: 'application/pdf',
      filename: 'merged.pdf',
      size: 11,
    });
  }

  it.each<[string, Change]>([
    ['bookmarks', inCatalog('Outlines', { Type: 'Outlines', Count: 0 })],
    ['a form', (document) => void document.getForm().createTextField('name')],
    ['page labels', inCatalog('PageLabels', { Nums: [0, { S: 'r' }] })],
    ['named destinations', inCatalog('Names', {})],
    ['destinations', inCatalog('Dests', {})],
    ['layers', inCatalog('OCProperties', {})],
    ['a structure tree', inCatalog('StructTreeRoot', { Type: 'StructTreeRoot' })],
    ['an open action', inCatalog('OpenAction', {})],
    ['attachments', (document) => void document.attach(text('x'), 'a.txt')],
    [
      'annotations',
      (document) => {
        const annotation = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9] };
        document
          .getPage(0)
          .node.addAnnot(document.context.register(document.context.obj(annotation)));
      },
    ],
    [
      'a transition',
      (document) => document.getPage(0).node.set(PDFName.of('Trans'), PDFString.of('x')),
    ],
  ])('merges files with %s', async (_, change) => {
    const special = await pdf([1, 2], (document) => {
      change(document);
    });
    await expectHandedOver([special, await plain()]);
    await expectHandedOver([await plain(), special]);
  });

  it('merges encrypted and damaged files', async () => {
    const bytes = await pdf([1]);
    const source = new TextDecoder('latin1').decode(bytes);
    const encrypted = source.replace('/Root', '/Encrypt 99 0 R\n/Root');
    expect(encrypted).not.toBe(source);
    const noise = '%PDF-1.4\n1 0 obj << /Type /Catalog /Pages ';
    for (const special of [encrypted, source.slice(0, 300), noise, '%PDF-1.7\n', `junk\n%PDF-`]) {
      const special1 = Uint8Array.from(special, (character) => character.charCodeAt(0));
      await expectHandedOver([await plain(), special1]);
    }
  });

  it('merges files of more than 1 MB in total or more than 50 pages', async () => {
    const large = await pdf([1], (document) => {
      const stream = document.context.stream(new Uint8Array(700_000));
      document.getPage(0).node.set(PDFName.of('Contents'), document.context.register(stream));
    });
    await expectHandedOver([large, large]);
    await expectHandedOver([await pdf(Array.from({ length: 51 }, () => 9)), await plain()]);
  });

  it('merges files that would loop or exceed memory at the edge without trying there', async () => {
    const wide = Array.from({ length: 10 }, (_, index) => {
      const kids = `${index + 3} 0 R `.repeat(20);
      return `${index + 2} 0 obj <</Type/Pages/Count 1/Parent 2 0 R/Kids[${kids}]>> endobj\n`;
    });
    const tree = [
      '%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n',
      ...wide,
      '12 0 obj <</Type/Page/Parent 11 0 R/MediaBox[0 0 9 9]>> endobj\n',
      'trailer <</Root 1 0 R/Size 13>>\nstartxref\n0\n%%EOF',
    ].join('');
    const circle = tree.replace('/Kids[3 0 R', '/Kids[2 0 R');
    const stream = new Blob([new Uint8Array(60_000_000)]).stream();
    const packed = await new Response(stream.pipeThrough(new CompressionStream('deflate'))).bytes();
    const bomb = new Uint8Array([
      ...text('%PDF-1.7\n1 0 obj <</Type/Obj#53tm/N 1/First 5/Filter/FlateDecode>>\nstream\n'),
      ...packed,
      ...text('\nendstream endobj\n'),
    ]);
    const start = Date.now();
    for (const hostile of [text(tree), text(circle), bomb]) {
      await expectHandedOver([await plain(), hostile]);
    }
    expect(Date.now() - start).toBeLessThan(60_000);
  });

  it('merges a file with repeatedly nested streams', async () => {
    // Each stream starts inside a stored block of the previous stream. After the last one, there are only empty blocks
    // (RFC 1951, section 3.2.4).
    const start = 'stream\n\x78\x9c';
    const blocks = `\0\x09\0\xf6\xff${start}`.repeat(2000) + '\0\0\0\xff\xff'.repeat(40_000);
    const content = Uint8Array.from(`\x78\x9c${blocks}`, (character) => character.charCodeAt(0));
    const nested = await pdf([1, 2], (document) => {
      const stream = document.context.stream(content);
      document.getPage(0).node.set(PDFName.of('Contents'), document.context.register(stream));
    });
    await expectHandedOver([await plain(), nested]);
  });

  it('receives the caller’s abort signal, and its errors are returned', async () => {
    const outlined = await pdf([1], inCatalog('Outlines', {}));
    const files = [outlined, outlined].map((bytes) => memoryFile('a.pdf', bytes));
    const { signal } = new AbortController();
    const media = new Recorder();
    await runTool(mergePdf, {}, { files, ports: { media }, signal });
    expect(media.calls[0]?.signal).toBe(signal);
    const error = new ToolError('bad_request', 'a.pdf needs a password');
    const run = () => Promise.reject(error);
    await expect(runTool(mergePdf, {}, { files, ports: { media: { run } } })).rejects.toBe(error);
  });
});

describe('merge_pdf rejects', () => {
  it('fewer than two files', async () => {
    for (const contents of [[], [await pdf([1])]]) {
      await expect(merge(contents)).rejects.toMatchObject({
        status: 400,
        param: 'files',
        message: expect.stringMatching(`at least 2 files, but got ${contents.length || 'none'}`),
      });
    }
  });

  it('a file that is not a PDF, naming the file', async () => {
    for (const content of ['hello', '<html>', '\x89PNG\r\n', 'PK\x03\x04']) {
      await expect(merge([await pdf([1]), text(content)])).rejects.toMatchObject({
        status: 400,
        param: 'files',
        message: expect.stringMatching(/^The file 2\.pdf is not a PDF/),
      });
    }
  });

  it('an empty file, one over 50 MB, more than 100 files and more than 64 MB in total', async () => {
    const one = await pdf([1]);
    await expect(merge([one, new Uint8Array()])).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/2\.pdf is empty/),
    });
    const sized = (size: number) => ({ ...memoryFile('a.pdf', one), size });
    const run = (files: InputFile[]) =>
      runTool(mergePdf, {}, { files, ports: { media: new Recorder() } });
    await expect(run([sized(MAX_FILE_BYTES + 1), sized(1)])).rejects.toMatchObject({ status: 413 });
    await expect(run([sized(40e6), sized(40e6)])).rejects.toMatchObject({ status: 413 });
    await expect(run(Array.from({ length: 101 }, () => sized(9)))).rejects.toMatchObject({
      status: 400,
    });
  });
});
