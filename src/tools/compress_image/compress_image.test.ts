import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import { MB } from '../../core/limits.ts';
import type { MediaPort, StoragePort, StoreOptions } from '../../core/ports.ts';
import { compressImage } from './compress_image.ts';

const LINK = {
  url: 'http://localhost/files/x/a.webp',
  expiresAt: '2026-12-01T00:00:00.000Z',
  deleteToken: 't',
};

/** Returns a media worker that records its calls, and storage that records its stored files. */
function recorded(warnings: string[] = []) {
  const requested: Record<string, unknown>[] = [];
  const stored: (StoreOptions & { size: number })[] = [];
  const media: MediaPort = {
    async run(operation, params) {
      requested.push({ operation, ...params });
      const meta = { size: 4, width: 3, height: 2, frames: 1, format: params.format, warnings };
      const body = new Blob(['webp']).stream();
      return { body, contentType: `image/${params.format}`, size: 4, meta };
    },
  };
  const storage = {
    async store(body: { stream: ReadableStream; size: number }, options: StoreOptions) {
      await new Response(body.stream).text();
      stored.push({ size: body.size, ...options });
      const { filename, contentType } = options;
      return { ...LINK, id: 'x', filename, contentType, size: body.size };
    },
  } as unknown as StoragePort;
  return { requested, stored, ports: { media, storage } };
}

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]);
const large = (size: number) => ({ ...memoryFile('big.tar.png', PNG), size });

const compress = (parameters: Record<string, unknown>, file = memoryFile('a.photo.PNG', PNG)) => {
  const { requested, stored, ports } = recorded();
  return runTool(compressImage, parameters, { files: [file], ports }).then((ran) => ({
    ran,
    requested,
    stored,
  }));
};

describe('compress_image', () => {
  it('returns a WebP of quality 0.9 by default', async () => {
    const { ran, requested } = await compress({});
    expect(requested).toEqual([
      {
        operation: 'compress_image',
        format: 'webp',
        quality: 0.9,
        keepAspectRatio: false,
        grayscale: false,
        palette: false,
        metadata: 'strip',
      },
    ]);
    expect(ran.file).toMatchObject({
      contentType: 'image/webp',
      filename: 'a.photo.webp',
      size: 4,
      headers: { 'X-Input-Bytes': '9', 'X-Output-Bytes': '4' },
    });
    expect(ran.warnings).toEqual([]);
  });

  it('passes all parameters to the media worker', async () => {
    const given = {
      quality: 0.1,
      format: 'jpeg',
      width: 10,
      height: 20,
      keepAspectRatio: true,
      grayscale: true,
      palette: true,
      metadata: 'keep',
    };
    const { ran, requested } = await compress(given);
    expect(requested).toEqual([{ operation: 'compress_image', ...given }]);
    expect(ran.file.filename).toBe('a.photo.jpg');
  });

  it('keeps the format of the input if it is requested and one of the four', async () => {
    const same = await compress({ keepFormat: true, format: 'avif' });
    expect(same.requested[0]).toMatchObject({ format: 'png' });
    expect(same.requested[0]).not.toHaveProperty('keepFormat');
    expect(same.ran.file.filename).toBe('a.photo.png');
    const gif = memoryFile('a.gif', new TextEncoder().encode('GIF89a'));
    const other = await compress({ keepFormat: true, format: 'avif' }, gif);
    expect(other.requested[0]).toMatchObject({ format: 'avif' });
  });

  it('falls back to WebP with a warning for an unknown format', async () => {
    const { ran, requested } = await compress({ format: 'bmp' });
    expect(requested[0]?.format).toBe('webp');
    expect(ran.warnings).toEqual(['format: "bmp" was replaced by "webp".']);
  });

  it('returns inputs under 5 MB as bytes and larger ones as a link that expires after 24 hours', async () => {
    expect((await compress({}, large(5 * MB - 1))).ran.file.size).toBe(4);
    const { ran, stored } = await compress({}, large(5 * MB));
    expect(ran.value).toEqual({
      ...LINK,
      filename: 'big.tar.webp',
      contentType: 'image/webp',
      size: 4,
      metadata: { format: 'webp', width: 3, height: 2, frames: 1, inputBytes: 5 * MB },
    });
    expect(compressImage.output?.safeParse(ran.value).success).toBe(true);
    expect(stored).toEqual([
      {
        size: 4,
        filename: 'big.tar.webp',
        contentType: 'image/webp',
        lifeSeconds: 86_400,
        caller: { address: '127.0.0.1' },
      },
    ]);
  });

  it('returns the warnings of the media worker', async () => {
    const { ports } = recorded(['only the first']);
    const { warnings } = await runTool(
      compressImage,
      {},
      { files: [memoryFile('a.gif', PNG)], ports },
    );
    expect(warnings).toEqual(['only the first']);
  });

  it.each([
    { quality: 0.05 },
    { quality: 1.1 },
    { quality: '0.5' },
    { width: 0 },
    { width: -5 },
    { width: 1.5 },
    { height: 0 },
    { height: 'tall' },
    { keepAspectRatio: 'yes' },
    { grayscale: 1 },
  ])('rejects %j and names the parameter', async (parameters) => {
    await expect(compress(parameters)).rejects.toMatchObject({
      status: 400,
      param: Object.keys(parameters)[0],
    });
  });

  it('rejects PDFs, videos and other non-images by their bytes and names the format', async () => {
    const samples: [string, RegExp][] = [
      ['%PDF-1.7', /a\.png is a PDF/],
      ['\0\0\0\x18ftypmp42\0\0\0\0', /a\.png is a video/],
      ['hello', /a\.png is not an image/],
    ];
    for (const [content, message] of samples) {
      const file = memoryFile('a.png', new TextEncoder().encode(content), 'image/png');
      await expect(compress({}, file)).rejects.toMatchObject({
        status: 400,
        param: 'file',
        message: expect.stringMatching(message),
      });
    }
  });

  it('rejects a file over 50 MB', async () => {
    await expect(compress({}, large(50 * MB + 1))).rejects.toMatchObject({ status: 413 });
  });
});
