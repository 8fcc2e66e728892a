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

  it('enlarges a smaller image, as the help of the width says', async () => {
    const create = { width: 4, height: 2, channels: 3, background: 'teal' } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    const files = [memoryFile('small.png', new Uint8Array(bytes))];
    const ports = { media: mediaOperations };
    const { file, warnings } = await runTool(compressImage, { width: 10 }, { files, ports });
    const made = await new Response(file.body as BodyInit).arrayBuffer();
    expect(await sharp(made).metadata()).toMatchObject({ width: 10, height: 5 });
    expect(warnings.join()).toContain('was enlarged from 4 x 2 to 10 x 5 pixels');
    expect(compressImage.form?.width?.help).toContain('Smaller images are enlarged.');
  });

  it('returns the operation’s error', async () => {
    const damaged = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]);
    const files = [memoryFile('a.png', damaged)];
    const ports = { media: mediaOperations };
    await expect(runTool(compressImage, {}, { files, ports })).rejects.toMatchObject({
      status: 400,
      param: 'file',
    });
  });
});
