/** Runs compress_image for tests, by default with the tool's default parameters, and reads the result. */
import sharp from 'sharp';
import { operate, scene } from './test-images.ts';

const DEFAULTS = {
  quality: 0.9,
  format: 'webp',
  keepAspectRatio: false,
  grayscale: false,
  palette: false,
  metadata: 'strip',
};

export async function compress(
  bytes: Buffer,
  params: Record<string, unknown> = {},
  name = 'a.jpg',
) {
  const ran = await operate('compress_image', { ...DEFAULTS, ...params }, [[name, bytes]]);
  const seen = await sharp(ran.bytes, { animated: true }).metadata();
  return { ...ran, seen };
}

export const refused = (bytes: Uint8Array, params = {}, name = 'bad.jpg') =>
  operate('compress_image', { ...DEFAULTS, ...params }, [[name, bytes]]);

export const photo = () => scene(300, 200).jpeg({ quality: 95 }).toBuffer();
