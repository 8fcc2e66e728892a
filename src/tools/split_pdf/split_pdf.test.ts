import { unzipSync } from 'fflate';
import { PDFDocument, PDFName, PDFNumber, type PDFRef } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { type InputFile, memoryFile } from '../../core/input-file.ts';
import type { MediaPort, MediaResult } from '../../core/ports.ts';
import { splitPdf } from './split_pdf.ts';

/** A fake media worker that records its calls and reports one dropped entry. */
class Recorder implements MediaPort {
  readonly calls: { operation: string; params: Record<string, unknown>; names: string[] }[] = [];

  async run(
    operation: string,
    params: Record<string, unknown>,
    files: readonly InputFile[],
  ): Promise<MediaResult> {
    this.calls.push({ operation, params, names: files.map(({ name }) => name) });
    const body = new Blob(['split']).stream();
    return {
      body,
      contentType: 'application/zip',
      size: 5,
      meta: { pageCount: 7, partPages: [2] },
    };
  }
}

/** Returns a PDF in which the width of each page equals its page number. */
async function pdf(pages: number, change?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= pages; page += 1) document.addPage([page, 100]);
  change?.(document);
  return document.save();
}

async function split(
  ranges: unknown,
  options: { bytes?: Uint8Array; name?: string; media?: MediaPort } = {},
) {
  const { bytes = await pdf(7), name = 'book.pdf', media = new Recorder() } = options;
  const files = [memoryFile(name, bytes)];
  const { file, warnings } = await runTool(splitPdf, { ranges }, { files, ports: { media } });
  return { ...file, warnings };
}

async function pagesOf(bytes: Uint8Array): Promise<number[]> {
  const document = await PDFDocument.load(bytes);
  return document.getPages().map((page) => page.getWidth());
}

async function entriesOf(archive: unknown): Promise<[string, number[]][]> {
  const entries = Object.entries(unzipSync(archive as Uint8Array));
  return Promise.all(
    entries.map(async ([name, bytes]) => [name, await pagesOf(bytes)] as [string, number[]]),
  );
}

describe('split_pdf of a small file whose pages share resources', () => {
  it('uses the media worker, so no page contains the images of another', async () => {
    const bytes = await pdf(3, (document) => {
      const { context } = document;
      const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] };
      const drawn = context.obj({ X: context.register(context.stream('% secret', form)) });
      const resources = context.register(context.obj({ XObject: drawn }));
      for (const { node } of document.getPages()) node.set(PDFName.of('Resources'), resources);
    });
    const media = new Recorder();
    await split(['2'], { bytes, media });
    expect(media.calls).toHaveLength(1);
  });
});

describe('split_pdf of a small file with a value of the wrong type', () => {
  it.each([
    ['a stream', (content: PDFRef) => content],
    ['a name', () => PDFName.of('None')],
    ['a number', () => PDFNumber.of(7)],
    ['a list', (content: PDFRef, { context }: PDFDocument) => context.obj([content])],
  ])('uses the media worker: resources that are %s', async (_, resources) => {
    const bytes = await pdf(2, (document) => {
      const { context } = document;
      const page = document.getPage(0);
      const content = context.register(context.stream('% nothing'));
      page.node.set(PDFName.of('Contents'), content);
      page.node.set(PDFName.of('Resources'), resources(content, document));
    });
    const media = new Recorder();
    await split(['1'], { bytes, media });
    expect(media.calls.map(({ operation }) => operation)).toEqual(['split_pdf']);
  });
});

describe('split_pdf with one range', () => {
  it('returns one PDF for a span, a page or a combination, in the order written', async () => {
    for (const [range, pages] of [
      ['1-3', [1, 2, 3]],
      ['7', [7]],
      ['1-2,7', [1, 2, 7]],
      ['7,1-2', [7, 1, 2]],
      [' 2 - 3 , 5 ', [2, 3, 5]],
      ['1-7', [1, 2, 3, 4, 5, 6, 7]],
    ] as const) {
      const { body, contentType, warnings } = await split([range]);
      expect(contentType).toBe('application/pdf');
      expect(await pagesOf(body as Uint8Array), range).toEqual(pages);
      expect(warnings).toEqual([]);
    }
  });

  it('clamps the range to the document and drops pages that do not exist', async () => {
    expect(await pagesOf((await split(['6-99'])).body as Uint8Array)).toEqual([6, 7]);
    expect(await pagesOf((await split(['6-99999999999999999999'])).body as Uint8Array)).toEqual([
      6, 7,
    ]);
    const { body, warnings } = await split(['2,8,100-200']);
    expect(await pagesOf(body as Uint8Array)).toEqual([2]);
    expect(warnings).toEqual([
      'The range "2,8,100-200" was cut at the last page: the document has 7 pages.',
    ]);
  });

  it('names the PDF after the input and the range', async () => {
    expect((await split(['1-3'])).filename).toBe('book-pages-1-3.pdf');
    expect((await split(['1-3,5'], { name: 'A b.PDF' })).filename).toBe('A b-pages-1-3_5.pdf');
    expect((await split(['4'], { name: 'file' })).filename).toBe('file-pages-4.pdf');
  });

  it('keeps title, author, rotation and boxes', async () => {
    const bytes = await pdf(3, (document) => {
      document.setTitle('Grüße');
      document.getPage(1).node.set(PDFName.of('Rotate'), document.context.obj(270));
      document.getPage(1).setCropBox(0, 1, 2, 3);
    });
    const part = await PDFDocument.load((await split(['2'], { bytes })).body as Uint8Array, {
      updateMetadata: false,
    });
    expect(part.getTitle()).toBe('Grüße');
    expect(part.getPage(0).getRotation().angle).toBe(270);
    expect(part.getPage(0).getCropBox()).toEqual({ x: 0, y: 1, width: 2, height: 3 });
  });
});

describe('split_pdf with several ranges', () => {
  it('returns a ZIP with one PDF per range, in order and named after the ranges', async () => {
    const { body, contentType, filename, entries } = await split(['5-7', '1', '9', '2-3,1']);
    expect(contentType).toBe('application/zip');
    expect(filename).toBe('book-split.zip');
    expect(await entriesOf(body)).toEqual([
      ['pages-5-7.pdf', [5, 6, 7]],
      ['pages-1.pdf', [1]],
      ['pages-2-3_1.pdf', [2, 3, 1]],
    ]);
    expect(entries).toEqual([{ pages: 3 }, { pages: 1 }, { pages: 3 }]);
  });

  it('returns the same bytes for the same call', async () => {
    const bytes = await pdf(7);
    const [one, two] = [await split(['1', '2'], { bytes }), await split(['1', '2'], { bytes })];
    expect(one.body).toEqual(two.body);
  });

  it('numbers equal names', async () => {
    const names = (await entriesOf((await split(['1', '1-1', '1'])).body)).map(([name]) => name);
    expect(names).toEqual(['pages-1.pdf', 'pages-1 (2).pdf', 'pages-1 (3).pdf']);
  });

  it('omits ranges without pages with a warning, and still returns a ZIP', async () => {
    const { body, warnings, contentType } = await split(['8', '1', '9-12']);
    expect(contentType).toBe('application/zip');
    expect(await entriesOf(body)).toEqual([['pages-1.pdf', [1]]]);
    expect(warnings).toEqual([
      'The range "8" selects no page, so it produces no file.',
      'The range "9-12" selects no page, so it produces no file.',
    ]);
  });
});

describe('split_pdf with a thousand ranges', () => {
  it('warns about the first few ranges without pages, shortened, and counts the rest', async () => {
    const long = `9,${'10,'.repeat(300)}11`;
    const { warnings } = await split(['1', ...Array(999).fill(long)]);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('979 more ranges extend past the last page.');
    expect(warnings.join().length).toBeLessThan(4096);
  });
});

describe('split_pdf rejects', () => {
  it('ranges that select no page, with 422', async () => {
    for (const ranges of [['8'], ['8', '9-10'], ['100-200,300']]) {
      await expect(split(ranges)).rejects.toMatchObject({
        status: 422,
        code: 'tool_failed',
        message: expect.stringMatching(/has 7 pages/),
      });
    }
  });

  it('a malformed entry, with 400 and its name', async () => {
    for (const entry of [
      '',
      ' ',
      'a',
      '1-',
      '-1',
      '0',
      '0-3',
      '3-1',
      '1,,2',
      ',1',
      '1,',
      '1-2-3',
      '1.5',
      '1;2',
      '１',
      '+1',
      '1e3',
    ]) {
      await expect(split(['1', entry]), entry).rejects.toMatchObject({
        status: 400,
        code: 'bad_request',
        param: 'ranges',
        message: expect.stringContaining(JSON.stringify(entry)),
      });
    }
  });

  it('ranges that are not a list of strings, are empty or number over 1,000', async () => {
    for (const ranges of [
      undefined,
      null,
      '1-3',
      5,
      {},
      [],
      [5],
      [null],
      [['1']],
      Array(1001).fill('1'),
    ]) {
      await expect(split(ranges)).rejects.toMatchObject({ status: 400, param: 'ranges' });
    }
  });

  it('ranges of over a million characters in total', async () => {
    const ranges = Array(1000).fill('1,'.repeat(600).slice(0, -1));
    await expect(split(ranges)).rejects.toMatchObject({
      status: 400,
      param: 'ranges',
      message: expect.stringContaining('a million characters'),
    });
  });

  it('a file that is not a PDF, naming the file, and anything but one file', async () => {
    const bytes = new TextEncoder().encode('hello');
    await expect(split(['1'], { bytes, name: 'a.txt' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/a\.txt is not a PDF/),
    });
    for (const count of [0, 2]) {
      const files = Array.from({ length: count }, () => memoryFile('a.pdf', bytes));
      const run = runTool(splitPdf, { ranges: ['1'] }, { files, ports: { media: new Recorder() } });
      await expect(run).rejects.toMatchObject({ status: 400, param: 'file' });
    }
  });
});

describe('split_pdf in the media worker', () => {
  it('splits files that are not plain and returns the result with its warnings', async () => {
    const media = new Recorder();
    const bytes = await pdf(3, (document) =>
      document.catalog.set(PDFName.of('Outlines'), document.context.obj({})),
    );
    const result = await split(['1', '9'], { bytes, media });
    expect(media.calls).toEqual([
      {
        operation: 'split_pdf',
        params: { ranges: [[[1, 1]], [[9, 9]]], attachments: false },
        names: ['book.pdf'],
      },
    ]);
    expect(result).toMatchObject({
      contentType: 'application/zip',
      filename: 'book-split.zip',
      size: 5,
      warnings: ['The range "9" selects no page, so it produces no file.'],
    });
  });

  it.each([
    'AcroForm',
    'Names',
    'PageLabels',
    'Dests',
    'OCProperties',
    'StructTreeRoot',
    'OpenAction',
  ])('splits a file with %s', async (name) => {
    const media = new Recorder();
    const bytes = await pdf(3, (document) =>
      document.catalog.set(PDFName.of(name), document.context.obj({})),
    );
    await split(['1'], { bytes, media });
    expect(media.calls.length).toBe(1);
  });

  it('splits if a page is requested twice or over 100 pages are requested in total', async () => {
    for (const ranges of [['1,1'], ['1-3,2'], Array(20).fill('1-7')]) {
      const media = new Recorder();
      await split(ranges, { media });
      expect(media.calls.length).toBe(1);
    }
  });

  it('splits files that are large, long or damaged', async () => {
    const large = await pdf(1, (document) => {
      const stream = document.context.stream(new Uint8Array(1_100_000));
      document.getPage(0).node.set(PDFName.of('Contents'), document.context.register(stream));
    });
    for (const bytes of [large, await pdf(51), (await pdf(3)).slice(0, 200)]) {
      const media = new Recorder();
      await split(['1'], { bytes, media });
      expect(media.calls.length).toBe(1);
    }
  });

  it('is not called if a range is malformed', async () => {
    const media = new Recorder();
    await expect(split(['3-1'], { bytes: await pdf(51), media })).rejects.toMatchObject({
      status: 400,
    });
    expect(media.calls).toEqual([]);
  });
});
