/**
 * compress_pdf and parse_document over HTTP: real files, and a media worker that is killed in the middle of its work.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { imageFile, jpegImage } from '../../containers/media/operations/pdf/test-image-files.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { baseUrl, body, executeForm } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Some pages of images at 300 dpi. */
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

/** Process ids of descendants with this text in their command line. */
function below(pid: number, text: string): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!)
    .map(([, id, parent, command]) => ({ id: Number(id), parent: Number(parent), command }));
  const all = (parent: number): typeof rows =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...all(row.id)]);
  return all(pid)
    .filter(({ command }) => command!.includes(text))
    .map(({ id }) => id);
}

describe('compress_pdf', () => {
  let input: Uint8Array;
  beforeAll(async () => {
    input = await scan(3);
  });

  it('answers with a smaller PDF, its sizes in headers', async () => {
    const response = await call('compress_pdf', fileOf(input, 'scan.pdf'));
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('X-Input-Bytes')).toBe(String(input.length));
    expect(response.headers.get('X-Output-Bytes')).toBe(String(bytes.length));
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(response.headers.get('X-Compression-Note')).toBeNull();
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

  it('answers 200 with the original bytes and the reason when the media worker is killed', async () => {
    const { child, baseUrl: url } = await startService({ STATE_DIR: join(folder, 'state') });
    onTestFinished(() => stopService(child));
    const many = await scan(12);
    const answer = call('compress_pdf', fileOf(many, 'scan.pdf'), url);
    await expect
      .poll(() => below(child.pid!, 'recode-images.ts').length, { timeout: 20_000, interval: 20 })
      .toBeGreaterThan(0);
    const [media] = below(child.pid!, 'containers/media/server.ts');
    const programs = below(media!, '');
    process.kill(media!, 'SIGKILL');
    // The call's own time limit is longer than that of this test.
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Compression-Note')).toContain('not available');
    expect(response.headers.get('X-Output-Bytes')).toBe(String(many.length));
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(many);
    await expect
      .poll(() => programs.filter((id) => below(1, '').includes(id)), { timeout: 5000 })
      .toEqual([]);
    await expect
      .poll(
        async () =>
          (await call('compress_pdf', fileOf(input, 'scan.pdf'), url)).headers.get(
            'X-Compression-Note',
          ),
        { timeout: 20_000, interval: 500 },
      )
      .toBeNull();
  });
});

describe('parse_document', () => {
  it('carries metadata beside error and code where a PDF has no text layer', async () => {
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
    const text = line.repeat(700_000);
    const response = await executeForm([
      ['tool', 'parse_document'],
      ['file', new Blob([text]), 'large.txt'],
    ]);
    expect(response.status).toBe(200);
    const { text: found, metadata } = await body(response);
    expect(found === text).toBe(true);
    expect(metadata).toEqual({ format: 'txt', words: 700_000 * 11 });
  });

  it('refuses a file without a name that tells its type', async () => {
    const response = await call('parse_document', fileOf('text', 'letter.docx'));
    expect(response.status).toBe(400);
    expect(await body(response)).toMatchObject({ code: 'bad_request', param: 'file' });
  });
});
