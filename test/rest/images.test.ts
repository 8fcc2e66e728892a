/** Sends images through the whole service. Checks the resulting bytes and links with independent programs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { body, executeForm } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-images-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a noisy image, which compresses poorly. */
const noisy = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });

const call = (tool: string, parameters: unknown, files: [string, Buffer][]) =>
  executeForm([
    ['tool', tool],
    ['parameters', JSON.stringify(parameters)],
    ...files.map(([name, bytes]): [string, Blob, string] => [
      'files',
      new Blob([new Uint8Array(bytes)]),
      name,
    ]),
  ]);

describe('compress_image', () => {
  it('returns the image, its name and both sizes', async () => {
    const input = await noisy(300, 200).jpeg().toBuffer();
    const response = await call('compress_image', { width: 100 }, [['häfen.jpg', input]]);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('Content-Type')).toBe('image/webp');
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(response.headers.get('Content-Disposition')).toContain(
      "filename*=UTF-8''h%C3%A4fen.webp",
    );
    expect(response.headers.get('X-Input-Bytes')).toBe(String(input.length));
    expect(response.headers.get('X-Output-Bytes')).toBe(String(bytes.length));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 100, height: 67 });
  });

  it('returns a link to an image of 5 MB or more', async () => {
    const input = await noisy(1500, 1500).png().toBuffer();
    expect(input.length).toBeGreaterThan(5 * 2 ** 20);
    const response = await call('compress_image', { format: 'jpeg', width: 300 }, [
      ['big.png', input],
    ]);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    const { url, size, metadata } = await body(response);
    expect(metadata).toEqual({
      format: 'jpeg',
      width: 300,
      height: 300,
      frames: 1,
      inputBytes: input.length,
    });
    const stored = await fetch(url);
    expect(stored.headers.get('Content-Type')).toBe('image/jpeg');
    const bytes = Buffer.from(await stored.arrayBuffer());
    expect(bytes.length).toBe(size);
    expect((await sharp(bytes).metadata()).width).toBe(300);
  });

  it('warns of a fallback format and refuses a damaged image', async () => {
    const input = await noisy(300, 200).jpeg().toBuffer();
    const response = await call('compress_image', { format: 'tga' }, [['a.jpg', input]]);
    expect(response.headers.get('X-Tool-Warnings')).toContain('"tga" was replaced by "webp"');
    const cut = await call('compress_image', {}, [['cut.jpg', input.subarray(0, 4000)]]);
    expect(cut.status).toBe(400);
    expect(await body(cut)).toMatchObject({
      code: 'bad_request',
      param: 'file',
      error: expect.stringContaining('cut.jpg'),
    });
  });
});

describe('images_to_pdf', () => {
  it('returns a PDF that qpdf accepts', async () => {
    const input = await noisy(300, 200).jpeg().toBuffer();
    const files = Array.from({ length: 3 }, (_, index): [string, Buffer] => [
      `${index}.jpg`,
      input,
    ]);
    const response = await call('images_to_pdf', { pageSize: 'letter', margin: 36 }, files);
    expect(response.headers.get('Content-Type')).toBe('application/pdf');
    const path = join(folder, 'images.pdf');
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax');
    expect(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }).trim()).toBe('3');
  });
});

describe('split_image', () => {
  it('returns a ZIP of the tiles, or suggests rows and cols', async () => {
    const input = await noisy(300, 200).png().toBuffer();
    const response = await call('split_image', { rows: 2, cols: 2 }, [['a.png', input]]);
    expect(response.headers.get('Content-Type')).toBe('application/zip');
    const path = join(folder, 'a.zip');
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    expect(execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n')).toEqual(
      [1, 2, 3, 4].map((index) => `panel-0${index}.png`),
    );
    const nothing = await call('split_image', {}, [['a.png', input]]);
    expect(nothing.status).toBe(400);
    expect((await body(nothing)).error).toContain('rows and cols');
  });
});
