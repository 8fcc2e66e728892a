/** Joins frames of equal size into one lossless animation that libvips can open. */
import sharp, { type Metadata } from 'sharp';

/** @param frames encoded images of equal size */
export const joinedFrames = (
  frames: Buffer[],
  { delay, loop }: Pick<Metadata, 'delay' | 'loop'>,
): Promise<Buffer<ArrayBuffer>> =>
  sharp(frames, { join: { animated: true }, limitInputPixels: false })
    .webp({ lossless: true, effort: 0, delay, loop })
    .toBuffer();
