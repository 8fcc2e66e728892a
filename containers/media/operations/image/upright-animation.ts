/** Applies EXIF orientation to an animation frame by frame, because libvips would rotate all frames as one image. */
import sharp, { type Metadata } from 'sharp';
import { joinedFrames } from './join-frames.ts';

/** Throws Error if a frame cannot be decoded. */
export async function uprightAnimation(
  bytes: Buffer,
  { pages = 1, delay, loop }: Metadata,
): Promise<Buffer<ArrayBuffer>> {
  const frames: Buffer[] = [];
  for (let page = 0; page < pages; page += 1) {
    const frame = sharp(bytes, { page, autoOrient: true, failOn: 'error' });
    frames.push(await frame.png({ compressionLevel: 1 }).toBuffer());
  }
  return joinedFrames(frames, { delay, loop });
}
