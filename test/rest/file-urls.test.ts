import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseUrl, body, execute, executeForm } from '../support/service.ts';

/** Makes a PDF whose pages have these widths. */
async function pdf(...widths: number[]): Promise<Blob> {
  const document = await PDFDocument.create();
  for (const width of widths) document.addPage([width, 100]);
  return new Blob([(await document.save()) as Uint8Array<ArrayBuffer>]);
}

async function widthsOf(response: Response): Promise<number[]> {
  expect(response.status).toBe(200);
  const document = await PDFDocument.load(await response.arrayBuffer());
  return document.getPages().map((page) => page.getWidth());
}

async function upload(content: Blob, filename: string): Promise<string> {
  const response = await executeForm([
    ['tool', 'upload_file'],
    ['file', content, filename],
  ]);
  return (await body(response)).url;
}

async function expectRefusal(response: Response, param: string, message: RegExp): Promise<void> {
  const answer = await body(response);
  expect(response.status, JSON.stringify(answer)).toBe(400);
  expect(answer).toMatchObject({ code: 'bad_request', param });
  expect(answer.error).toMatch(message);
}

let one: string;
let two: string;
let text: string;

beforeAll(async () => {
  one = await upload(await pdf(101, 102), 'one.pdf');
  two = await upload(await pdf(201), 'two ü.pdf');
  text = await upload(new Blob(['hello']), 'a.txt');
});

describe('fileUrl and fileUrls', () => {
  it('name stored files in order, with repetitions', async () => {
    expect(await widthsOf(await execute('merge_pdf', { fileUrls: [one, two] }))).toEqual([
      101, 102, 201,
    ]);
    expect(await widthsOf(await execute('merge_pdf', { fileUrls: [two, one, two] }))).toEqual([
      201, 101, 102, 201,
    ]);
    expect(await widthsOf(await execute('split_pdf', { fileUrl: one, ranges: ['2'] }))).toEqual([
      102,
    ]);
  });

  it('are accepted in a multipart call', async () => {
    const response = await executeForm([
      ['tool', 'split_pdf'],
      ['parameters', JSON.stringify({ fileUrl: one, ranges: ['1'] })],
    ]);
    expect(await widthsOf(response)).toEqual([101]);
  });

  it('are looked up by file id and ignore name, query and fragment', async () => {
    const base = one.slice(0, one.lastIndexOf('/'));
    for (const link of [
      `${base}/other.pdf`,
      base,
      `${one}?download=1`,
      `${one}#page=2`,
      ` ${one} `,
    ]) {
      expect(
        await widthsOf(await execute('split_pdf', { fileUrl: link, ranges: ['1'] })),
        link,
      ).toEqual([101]);
    }
  });

  it('keep the name of the file in messages and results', async () => {
    const response = await execute('split_pdf', { fileUrl: two, ranges: ['1'] });
    expect(response.headers.get('Content-Disposition')).toContain(
      `filename*=UTF-8''two%20%C3%BC-pages-1.pdf`,
    );
    await expectRefusal(
      await execute('merge_pdf', { fileUrls: [one, text] }),
      'fileUrls',
      /a\.txt is not a PDF/,
    );
  });

  it('return 400 for an unknown or expired link', async () => {
    const unknown = `${baseUrl}/files/zzzzzz0123456789ABCDEFGHIJKL/a.pdf`;
    const expired = `${baseUrl}/files/0aaaaa0123456789ABCDEFGHIJKL/a.pdf`;
    for (const link of [unknown, expired]) {
      const split = await execute('split_pdf', { fileUrl: link, ranges: ['1'] });
      await expectRefusal(split, 'fileUrl', /does not exist or has expired/);
      const merge = await execute('merge_pdf', { fileUrls: [one, link] });
      await expectRefusal(merge, 'fileUrls', /does not exist or has expired/);
    }
  });

  it('return 400 for a link to our storage that names no file', async () => {
    const { pathname } = new URL(one);
    for (const link of [
      `${baseUrl}/api/v1/tools`,
      `${baseUrl}/files/`,
      `${baseUrl}/files/../api/v1/tools`,
      `${baseUrl}/files/%2e%2e/api/v1/tools`,
      `${baseUrl}/files/..%2f..%2fsecret`,
      `${baseUrl}/files/${pathname.split('/')[2]}%00/a.pdf`,
      `${baseUrl}/x/..//files${pathname.slice(6)}`,
    ]) {
      const split = await execute('split_pdf', { fileUrl: link, ranges: ['1'] });
      await expectRefusal(split, 'fileUrl', /must be a link to a file stored by this service/);
      const merge = await execute('merge_pdf', { fileUrls: [one, link] });
      await expectRefusal(merge, 'fileUrls', /must be a link to a file stored by this service/);
    }
  });

  it('return 400 for a non-public address in any notation', async () => {
    const { pathname, port } = new URL(one);
    for (const link of [
      `http://localhost:${Number(port) + 1}${pathname}`,
      `http://localhost${pathname}`,
      `http://127.0.0.1:${port}${pathname}`,
      `http://localhost:${port}.evil.example${pathname}`,
      `https://localhost:${port}${pathname}`,
      `//localhost:${port}${pathname}`,
      pathname,
      `file://${pathname}`,
      'javascript:alert(1)',
      'data:application/pdf;base64,JVBERi0=',
      'files/x',
      '',
      ' ',
      'http://',
      '\u0000',
      '\ud800',
      'x'.repeat(100_000),
    ]) {
      const split = await execute('split_pdf', { fileUrl: link, ranges: ['1'] });
      await expectRefusal(split, 'fileUrl', /begins with http|is refused|more than 8192/);
      const merge = await execute('merge_pdf', { fileUrls: [one, link] });
      await expectRefusal(merge, 'fileUrls', /begins with http|is refused|more than 8192/);
    }
  });

  it('return 400 for a value of another type', async () => {
    for (const fileUrl of [5, true, [one], { url: one }]) {
      const split = await execute('split_pdf', { fileUrl, ranges: ['1'] });
      await expectRefusal(split, 'fileUrl', /fileUrl must be one link/);
    }
    for (const fileUrls of [one, 5, { 0: one }, [one, 5], [one, null], [[one, two]]]) {
      const merge = await execute('merge_pdf', { fileUrls });
      await expectRefusal(merge, 'fileUrls', /fileUrls must be an array of links/);
    }
  });

  it('treat null as absent', async () => {
    const split = await execute('split_pdf', { fileUrl: null, ranges: ['1'] });
    await expectRefusal(split, 'file', /needs a file, but got none/);
    const merge = await execute('merge_pdf', { fileUrls: null });
    await expectRefusal(merge, 'files', /needs at least 2 files, but got none/);
  });

  it('return 400 for too few or too many links', async () => {
    await expectRefusal(
      await execute('merge_pdf', { fileUrls: [] }),
      'fileUrls',
      /at least 2 files, but "fileUrls" names 0/,
    );
    await expectRefusal(
      await execute('merge_pdf', { fileUrls: [one] }),
      'fileUrls',
      /at least 2 files, but "fileUrls" names 1/,
    );
    const many = Array.from({ length: 101 }, () => one);
    await expectRefusal(
      await execute('merge_pdf', { fileUrls: many }),
      'fileUrls',
      /at most 100 files, but got 101/,
    );
  });

  it('return 400 beside an upload', async () => {
    const split = await executeForm([
      ['tool', 'split_pdf'],
      ['parameters', JSON.stringify({ fileUrl: one, ranges: ['1'] })],
      ['file', await pdf(1), 'a.pdf'],
    ]);
    await expectRefusal(split, 'fileUrl', /not both/);
    const merge = await executeForm([
      ['tool', 'merge_pdf'],
      ['parameters', JSON.stringify({ fileUrls: [one] })],
      ['files', await pdf(1), 'a.pdf'],
    ]);
    await expectRefusal(merge, 'fileUrls', /not both/);
  });

  it('are ignored with advice when a tool expects the other one', async () => {
    const merge = await execute('merge_pdf', { fileUrl: one });
    await expectRefusal(merge, 'files', /set "fileUrls" to links to stored files/);
    const split = await execute('split_pdf', { fileUrls: [one], ranges: ['1'] });
    await expectRefusal(split, 'file', /set "fileUrl" to the link to a stored file/);
  });

  it('are refused by upload_file, which needs an uploaded file', async () => {
    await expectRefusal(await execute('upload_file', { fileUrl: one }), 'file', /needs a file/);
  });
});
