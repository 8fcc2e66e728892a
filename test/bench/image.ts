/** Compares compress_image over HTTP with direct calls to sharp with the same settings. */
import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { NOT_COMPARED } from '../../containers/media/operations/image/drawn-image.ts';
import { encode } from '../../containers/media/operations/image/encode-image.ts';
import { atMost, median, type Row } from './row.ts';
import { withService } from './service.ts';

const SETTINGS = { format: 'webp', quality: 0.9, palette: false } as const;
const PHOTO = { shares: NOT_COMPARED, isExact: false, hasHalfColors: true, isLarge: false };
const ROUNDS = 7;
const MAX_RATIO = 1.15;

export const imageRows = (): Promise<Row[]> =>
  withService(async (baseUrl) => {
    const photo = await photograph(4000, 3000);
    sharp.cache(false);
    sharp.concurrency(availableParallelism());
    const times = { ours: [] as number[], theirs: [] as number[] };
    let sizes: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const started = performance.now();
      const ours = await compress(baseUrl, photo);
      const between = performance.now();
      const { data: theirs } = await encode(sharp(photo, { autoOrient: true }), SETTINGS, PHOTO);
      // The first round is a warm-up.
      if (round > 0) {
        times.ours.push(between - started);
        times.theirs.push(performance.now() - between);
      }
      sizes = [ours, theirs.length];
    }
    if (sizes[0] !== sizes[1])
      throw new Error(`not the same settings: ${sizes.join(' and ')} bytes`);
    const name = `compress_image, 12 MP of ${(photo.length / 2 ** 20).toFixed(1)} MB to webp / sharp`;
    return [atMost(name, median(times.ours), median(times.theirs), MAX_RATIO, 'ms')];
  });

/** Returns a JPEG with photo-like detail: noise at three scales. */
async function photograph(width: number, height: number): Promise<Buffer> {
  const noise = (scale: number, sigma: number) =>
    sharp({
      create: {
        width: Math.round(width / scale),
        height: Math.round(height / scale),
        channels: 3,
        background: 'gray',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
      .png()
      .toBuffer()
      .then((layer) => sharp(layer).resize(width, height, { kernel: 'cubic' }).png().toBuffer());
  const [coarse, middle, fine] = await Promise.all([noise(60, 70), noise(8, 35), noise(1, 12)]);
  return sharp(coarse)
    .composite([
      { input: middle, blend: 'soft-light' },
      { input: fine, blend: 'soft-light' },
    ])
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** Makes one call and returns the size of the response body in bytes. */
async function compress(baseUrl: string, photo: Buffer): Promise<number> {
  const form = new FormData();
  form.append('tool', 'compress_image');
  form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
  const response = await fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(await response.text());
  return (await response.arrayBuffer()).byteLength;
}
