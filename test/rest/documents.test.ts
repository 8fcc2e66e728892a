/** Tests compress_pdf, parse_document and extract_text_ocr over HTTP with real files. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageFile, jpegImage } from '../../containers/media/operations/pdf/test-image-files.ts';
import { baseUrl, body, executeForm } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a PDF of images at 300 dpi, like a scan. */
async function scan(pages: number): Promise<Uint8Array> {
  const image = await jpegImage(1500, 1800, 1);
  return imageFile(Array.from({ length: pages }, () => ({ image, across: 360 })));
}

const fileOf = (bytes: Uint8Array | string, name: string) =>
  new File([bytes as Uint8Array<ArrayBuffer>], name);

const call = (tool: string, file: File, url = baseUrl) => {
  const form = new FormData();
  form.append('tool', tool);
  form.append('file', file);
  return fetch(`${url}/api/v1/tools/execute`, { method: 'POST', body: form });
};

describe('compress_pdf', () => {
  let input: Uint8Array;
  beforeAll(async () => {
    input = await scan(3);
  });

  it('returns a smaller PDF, with its sizes in headers', async () => {
    const response = await call('compress_pdf', fileOf(input, 'scan.pdf'));
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('X-Input-Bytes')).toBe(String(input.length));
    expect(response.headers.get('X-Output-Bytes')).toBe(String(bytes.length));
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(response.headers.get('X-Compression-Note')).toMatch(/^Saved: images \d/);
    expect(bytes.length).toBeLessThan(input.length / 3);
    const path = join(folder, 'small.pdf');
    writeFileSync(path, bytes);
    expect(execFileSync('pdfimages', ['-list', path], { encoding: 'utf8' })).toMatch(
      /750 +900 +rgb .* 150 +150 /,
    );
    const again = await call('compress_pdf', fileOf(bytes, 'small.pdf'));
    expect(again.headers.get('X-Compression-Note')).toContain('cannot be made smaller');
    expect(again.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes);
  });
});

describe('parse_document', () => {
  it('returns metadata beside error and code if a PDF has no text layer', async () => {
    const path = join(folder, 'blank.pdf');
    execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', path, '-c', 'showpage showpage']);
    const response = await call('parse_document', fileOf(readFileSync(path), 'blank.pdf'));
    expect(response.status).toBe(422);
    expect(await body(response)).toMatchObject({
      code: 'tool_failed',
      error: expect.stringContaining('extract_text_ocr'),
      metadata: { format: 'pdf', pages: 2, words: 0, imageOnly: true },
    });
  });

  it('reads a text file of tens of megabytes', async () => {
    const line = 'A line of "text" with Grüße, 日本語 and \\ in it.\n';
    const text = line.repeat(400_000);
    const response = await executeForm([
      ['tool', 'parse_document'],
      ['file', new Blob([text]), 'large.txt'],
    ]);
    expect(response.status).toBe(200);
    const { text: found, metadata } = await body(response);
    expect(found === text).toBe(true);
    expect(metadata).toEqual({ format: 'txt', words: 400_000 * 11 });
  });

  it('refuses a file whose name indicates an unsupported type', async () => {
    const response = await call('parse_document', fileOf('text', 'letter.docx'));
    expect(response.status).toBe(400);
    expect(await body(response)).toMatchObject({ code: 'bad_request', param: 'file' });
  });
});

describe('extract_text_ocr', () => {
  it('makes a searchable PDF that the next step of a chain reads', async () => {
    const path = join(folder, 'page.png');
    execFileSync('gs', [
      ...['-q', '-sDEVICE=pnggray', '-r150', '-g800x200', '-o', path],
      ...['-c', '/Helvetica 24 selectfont 36 36 moveto (Hello from the scan) show showpage'],
    ]);
    const upload = await call('upload_file', fileOf(readFileSync(path), 'page.png'));
    const { url } = await body(upload);
    const response = await fetch(`${baseUrl}/api/v1/tools/chain`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        toolChain: [
          { tool: 'extract_text_ocr', parameters: { fileUrl: url, output: 'pdf' } },
          { tool: 'parse_document' },
        ],
      }),
    });
    const { results } = await body(response);
    expect(results).toMatchObject([
      { result: { contentType: 'application/pdf', filename: 'page-ocr.pdf', pages: 1 } },
      { result: { text: 'Hello from the scan', metadata: { pages: 1, words: 4 } } },
    ]);
  });
});
