import { describe, expect, it } from 'vitest';
import { rotatedImage } from './rotated-image.ts';

/** Returns a directory with one entry, the orientation 6, in big-endian EXIF data with this header. */
function exif(type: number, value: number[], header = 'MM\0*'): number[] {
  const start = [...header].map((letter) => letter.charCodeAt(0));
  return [...start, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, type, 0, 0, 0, 1, ...value, 0, 0, 0, 0];
}

/** Returns a JPEG that consists of an EXIF segment and an empty scan. */
function jpeg(data: number[]): File {
  const segment = [0xff, 0xe1, 0, data.length + 8, 0x45, 0x78, 0x69, 0x66, 0, 0, ...data];
  const bytes = [0xff, 0xd8, ...segment, 0xff, 0xda, 0, 2, 0xff, 0xd9];
  return new File([Uint8Array.from(bytes)], 'a.jpg', { type: 'image/jpeg' });
}

const dataOf = async (file: File) => [...new Uint8Array(await file.arrayBuffer())].slice(12, 38);

describe('rotatedImage', () => {
  it('rotates an orientation of either type', async () => {
    const short = await rotatedImage(jpeg(exif(3, [0, 6, 0, 0])), 90);
    expect(await dataOf(short)).toEqual(exif(3, [0, 3, 0, 0]));
    const long = await rotatedImage(jpeg(exif(4, [0, 0, 0, 6])), 90);
    expect(await dataOf(long)).toEqual(exif(4, [0, 0, 0, 3]));
  });

  it.each(['XX\0*', 'MM*\0', 'II\0*'])('replaces data that decoders ignore: %j', async (header) => {
    const rotated = await rotatedImage(jpeg(exif(3, [0, 6, 0, 0], header)), 90);
    expect(await dataOf(rotated)).toEqual(exif(3, [0, 6, 0, 0]));
  });
});
