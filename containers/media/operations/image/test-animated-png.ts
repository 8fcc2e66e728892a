/** Makes animated PNGs for tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { run } from '../test-operation.ts';
import { pngChunk, pngChunks, SIGNATURE_BYTES } from './png-file.ts';

/** Returns an animated PNG with two frames of FFmpeg's test pattern. */
export function movingPng(folder: string): Buffer {
  const path = join(folder, 'moving.png');
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:d=0.2:r=10'];
  run('ffmpeg', '-y', '-v', 'error', ...pattern, '-f', 'apng', path);
  return readFileSync(path);
}

export interface DrawnFrame {
  width: number;
  height: number;
  left: number;
  top: number;
  /** A CSS color, which may include opacity. */
  color: string;
  disposal: 'none' | 'background' | 'previous';
  isOver: boolean;
  /** The duration of the frame in milliseconds. */
  delay: number;
}

/** Makes an animated PNG whose frames are rectangles of one color. */
export async function animatedPng(frames: readonly DrawnFrame[], plays = 3): Promise<Buffer> {
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(frames.length, 0);
  animation.writeUInt32BE(plays, 4);
  const pieces: Buffer[] = [];
  let sequence = 0;
  for (const [index, frame] of frames.entries()) {
    const { width, height, color: background } = frame;
    const created = sharp({ create: { width, height, channels: 4, background } });
    const chunks = [...pngChunks(await created.png().toBuffer())];
    if (index === 0) {
      const header = chunks.find(({ type }) => type === 'IHDR')!;
      pieces.push(header.bytes, pngChunk('acTL', animation));
    }
    const control = Buffer.alloc(26);
    for (const [at, value] of [sequence++, width, height, frame.left, frame.top].entries()) {
      control.writeUInt32BE(value, at * 4);
    }
    control.writeUInt16BE(frame.delay, 20);
    control.writeUInt16BE(1000, 22);
    control[24] = ['none', 'background', 'previous'].indexOf(frame.disposal);
    control[25] = Number(frame.isOver);
    pieces.push(pngChunk('fcTL', control));
    for (const { type, bytes, content } of chunks) {
      if (type !== 'IDAT') continue;
      const number = Buffer.alloc(4);
      if (index > 0) number.writeUInt32BE(sequence++, 0);
      pieces.push(index === 0 ? bytes : pngChunk('fdAT', Buffer.concat([number, content])));
    }
  }
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').subarray(0, SIGNATURE_BYTES);
  return Buffer.concat([signature, ...pieces, pngChunk('IEND', Buffer.alloc(0))]);
}
