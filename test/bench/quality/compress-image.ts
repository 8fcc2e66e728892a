/**
 * Compares compress_image with cwebp, avifenc, cjpeg, optipng and pngquant. WebP, AVIF and JPEG results are compared by
 * size at equal SSIM, and PNG results by size. CPU time is compared with that of a single encoder run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { compressImage } from '../../../containers/media/operations/image/compress-image.ts';
import type { Encoding } from '../../../containers/media/operations/image/encode-image.ts';
import { atMost, type Row } from '../row.ts';
import { photograph, screenshot } from './made-images.ts';
import { type Luma, lumaOf, ssim } from './ssim.ts';

const FILES = 20;
const PEER_QUALITIES = {
  webp: [60, 75, 85, 92, 98],
  avif: [30, 20, 12, 6, 2],
  jpeg: [60, 75, 85, 92, 98],
};

type LossyFormat = keyof typeof PEER_QUALITIES;

interface Point {
  bytes: number;
  similarity: number;
}

export async function compressImageRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-quality-'));
  try {
    const seeds = Array.from({ length: FILES }, (_, index) => index + 1);
    const photos: string[] = [];
    const drawings: string[] = [];
    for (const seed of seeds) {
      photos.push(written(folder, `photo-${seed}.jpg`, await photograph(seed)));
      drawings.push(written(folder, `drawing-${seed}.png`, await screenshot(seed)));
    }
    return [
      await atEqualSimilarity('photos to webp / cwebp -m 6 -sharp_yuv', photos, 'webp', 1.02),
      await atEqualSimilarity('photos to avif / avifenc -s 6', photos, 'avif', 1.02),
      await atEqualSimilarity('photos to jpeg / cjpeg -optimize', photos, 'jpeg', 1),
      await atEqualSimilarity('screenshots to webp / cwebp', drawings, 'webp', 1.02),
      await atEqualSimilarity('screenshots to avif / avifenc', drawings, 'avif', 1.02),
      await exact('screenshots to png / optipng', drawings, folder),
      await withPalette('screenshots to png with palette / pngquant', drawings, folder),
      await cpuTime('photos to webp', photos, 'webp', 1.5),
      await cpuTime('photos to avif', photos, 'avif', 2.5),
      await cpuTime('screenshots to webp', drawings, 'webp', 1.5),
      await cpuTime('screenshots to avif', drawings, 'avif', 2.5),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function written(folder: string, name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function atEqualSimilarity(
  name: string,
  files: readonly string[],
  format: LossyFormat,
  most: number,
): Promise<Row> {
  let [ours, theirs] = [0, 0];
  for (const file of files) {
    const original = await lumaOf(readFileSync(file));
    const made = await compressed(file, format, false);
    const curve = await peerCurve(file, format, original);
    ours += made.length;
    theirs += bytesAt(curve, ssim(original, await lumaOf(made)));
  }
  return atMost(`compress_image, ${files.length} ${name}`, ours, theirs, most, 'bytes');
}

async function exact(name: string, files: readonly string[], folder: string): Promise<Row> {
  const target = join(folder, 'optipng.png');
  let [ours, theirs] = [0, 0];
  for (const file of files) {
    ours += (await compressed(file, 'png', false)).length;
    execFileSync('optipng', ['-quiet', '-clobber', '-out', target, file]);
    theirs += statSync(target).size;
  }
  return atMost(`compress_image, ${files.length} ${name}`, ours, theirs, 1.05, 'bytes');
}

async function withPalette(name: string, files: readonly string[], folder: string): Promise<Row> {
  const target = join(folder, 'pngquant.png');
  let [ours, theirs] = [0, 0];
  for (const file of files) {
    ours += (await compressed(file, 'png', true)).length;
    execFileSync('pngquant', ['--force', '--output', target, '256', file]);
    theirs += statSync(target).size;
  }
  return atMost(`compress_image, ${files.length} ${name}`, ours, theirs, 1.05, 'bytes');
}

/** The encoder effort of the baseline run. It does not depend on the image. */
const PLAIN_EFFORT = { webp: 2, avif: 1 };

/** Compares the CPU time with that of a single baseline run of the same encoder. */
async function cpuTime(
  name: string,
  files: readonly string[],
  format: 'webp' | 'avif',
  most: number,
): Promise<Row> {
  const seconds = async (work: (file: string) => Promise<unknown>) => {
    const before = process.cpuUsage();
    for (const file of files) await work(file);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const effort = PLAIN_EFFORT[format];
  const theirs = await seconds((file) =>
    sharp(readFileSync(file)).autoOrient().toFormat(format, { quality: 90, effort }).toBuffer(),
  );
  const ours = await seconds((file) => compressed(file, format, false));
  const row = `compress_image, ${files.length} ${name} / effort ${effort}: CPU time`;
  return atMost(row, ours, theirs, most, 's');
}

async function compressed(
  file: string,
  format: Encoding['format'],
  palette: boolean,
): Promise<Buffer> {
  const output = `${file}.out`;
  const options = { quality: 0.9, format, palette, keepAspectRatio: false, grayscale: false };
  const given = { name: file, path: file, size: statSync(file).size };
  await compressImage({ file: given, output, options: { ...options, keepsMetadata: false } });
  return readFileSync(output);
}

/** Returns the size and similarity of the other encoder's results at several quality settings. */
async function peerCurve(file: string, format: LossyFormat, original: Luma): Promise<Point[]> {
  const target = `${file}.${format}`;
  const points: Point[] = [];
  for (const quality of PEER_QUALITIES[format].map(String)) {
    encodeByPeer(file, format, quality, target);
    const bytes = readFileSync(target);
    points.push({ bytes: bytes.length, similarity: ssim(original, await lumaOf(bytes)) });
  }
  return points.sort((a, b) => a.similarity - b.similarity);
}

function encodeByPeer(file: string, format: LossyFormat, quality: string, target: string): void {
  const run = (program: string, ...given: string[]) =>
    execFileSync(program, given, { stdio: 'ignore' });
  if (format === 'webp') {
    run('cwebp', '-quiet', '-q', quality, '-m', '6', '-sharp_yuv', file, '-o', target);
  } else if (format === 'avif') {
    run('avifenc', '-s', '6', '--min', quality, '--max', quality, file, target);
  } else {
    const pixels = `${file}.ppm`;
    run('djpeg', '-outfile', pixels, file);
    run('cjpeg', '-quality', quality, '-optimize', '-outfile', target, pixels);
  }
}

/**
 * Interpolates the size at a given similarity, on a logarithmic scale. Outside the curve, returns the size of the
 * nearest point.
 */
function bytesAt(curve: readonly Point[], similarity: number): number {
  const above = curve.findIndex((point) => point.similarity >= similarity);
  const high = curve[above];
  const low = curve[above - 1];
  if (!high) return curve.at(-1)?.bytes ?? Number.NaN;
  if (!low) return high.bytes;
  const part = (similarity - low.similarity) / (high.similarity - low.similarity);
  return low.bytes * (high.bytes / low.bytes) ** part;
}
