import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mediaOperations } from '../../../test/support/media-operations.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import { compressImage } from './compress_image.ts';

describe('compress_image in the media worker', () => {
  it('applies the EXIF orientation and resizes to the requested width', async () => {
    const source = sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } });
    const bytes = await source.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { file } = await runTool(
      compressImage,
      { width: 10, format: 'png' },
      {
        files: [memoryFile('photo.jpg', new Uint8Array(bytes))],
        ports: { media: mediaOperations },
      },
    );
    expect(file).toMatchObject({ contentType: 'image/png', filename: 'photo.png' });
    const made = await new Response(file.body as BodyInit).arrayBuffer();
    expect(await sharp(made).metadata()).toMatchObject({ format: 'png', width: 10, height: 20 });
  });

  it('returns the operation’s error', async () => {
    const damaged = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]);
    const files = [memoryFile('a.png', damaged)];
    const ports = { media: mediaOperations };
    await expect(runTool(compressImage, {}, { files, ports })).rejects.toMatchObject({
      ...{ status: 400, param: 'file' },
    });
  });
});
