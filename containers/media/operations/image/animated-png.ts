/** Decodes the frames of an animated PNG (PNG specification, third edition). libvips reads only the first frame. */
import sharp from 'sharp';
import { joinedFrames } from './join-frames.ts';
import { hasAnimation, pngChunk, pngChunks } from './png-file.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const CHANNELS = 4;
/**
 * The lengths in bytes of an fcTL chunk's content, and of the sequence number that precedes the data of an fdAT chunk.
 */
const CONTROL_BYTES = 26;
const SEQUENCE_BYTES = 4;
/** The denominator of a frame delay if the file specifies 0. The delay is then in hundredths of a second. */
const DEFAULT_DENOMINATOR = 100;
const TO_BACKGROUND = 1;
const TO_PREVIOUS = 2;
const OVER = 1;

interface Frame {
  width: number;
  height: number;
  left: number;
  top: number;
  /** The duration of the frame in milliseconds. */
  delay: number;
  /** How the frame's area is reset before the next frame is drawn. */
  disposal: number;
  /** Whether the frame is blended with the pixels below it instead of replacing them. */
  isOver: boolean;
  /** The compressed pixels of the frame. */
  data: Buffer[];
}

export interface AnimatedPng {
  width: number;
  height: number;
  /** The number of times that the animation plays; 0 means forever. */
  plays: number;
  frames: Frame[];
  /** The chunks before the pixel data except IHDR, acTL and fcTL, such as the palette and the color profile. */
  shared: Buffer[];
  header: Buffer;
}

/**
 * Returns the animation in a PNG. Returns null if the PNG is not animated, or if its frames are malformed and only the
 * first image can be used.
 */
export function readAnimatedPng(png: Buffer): AnimatedPng | null {
  if (!hasAnimation(png)) return null;
  const frames: Frame[] = [];
  const shared: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  let plays = 0;
  let isBeforePixels = true;
  for (const { type, bytes, content } of pngChunks(png)) {
    if (type === 'IHDR') header = content;
    else if (type === 'acTL') plays = content.readUInt32BE(4);
    else if (type === 'fcTL') {
      if (content.length < CONTROL_BYTES) return null;
      frames.push(frameOf(content));
    } else if (type === 'IDAT' || type === 'fdAT') {
      isBeforePixels = false;
      frames.at(-1)?.data.push(type === 'IDAT' ? content : content.subarray(SEQUENCE_BYTES));
    } else if (isBeforePixels) shared.push(bytes);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const isSound = ({ left, top, data, ...frame }: Frame) =>
    data.length > 0 &&
    Math.min(frame.width, frame.height) > 0 &&
    left + frame.width <= width &&
    top + frame.height <= height;
  if (frames.length === 0 || !frames.every(isSound)) return null;
  return { width, height, plays, frames, shared, header };
}

function frameOf(control: Buffer): Frame {
  const [numerator, denominator] = [control.readUInt16BE(20), control.readUInt16BE(22)];
  return {
    width: control.readUInt32BE(4),
    height: control.readUInt32BE(8),
    left: control.readUInt32BE(12),
    top: control.readUInt32BE(16),
    delay: Math.round((numerator * 1000) / (denominator || DEFAULT_DENOMINATOR)),
    disposal: control[24]!,
    isOver: control[25] === OVER,
    data: [],
  };
}

/** Returns the animation as a lossless WebP. Throws Error if a frame cannot be decoded. */
export async function asAnimatedWebp(animation: AnimatedPng): Promise<Buffer<ArrayBuffer>> {
  const { width, height, frames, plays } = animation;
  const canvas = Buffer.alloc(width * height * CHANNELS);
  const raw = { width, height, channels: CHANNELS } as const;
  const shown: Buffer[] = [];
  for (const [index, frame] of frames.entries()) {
    // Before the first frame, there is no content to restore, so the frame's area is cleared.
    const isCleared =
      frame.disposal === TO_BACKGROUND || (frame.disposal === TO_PREVIOUS && index === 0);
    const before = frame.disposal === TO_PREVIOUS && !isCleared ? Buffer.from(canvas) : undefined;
    draw(canvas, width, frame, await pixelsOf(animation, frame));
    shown.push(await sharp(canvas, { raw }).png({ compressionLevel: 1 }).toBuffer());
    if (isCleared) clear(canvas, width, frame);
    else before?.copy(canvas);
  }
  const delay = frames.map((frame) => frame.delay);
  return joinedFrames(shown, { delay, loop: plays });
}

/** Returns the pixels of a frame as RGBA. The frame is decoded as a separate PNG. */
async function pixelsOf({ header, shared }: AnimatedPng, frame: Frame): Promise<Buffer> {
  const own = Buffer.from(header);
  own.writeUInt32BE(frame.width, 0);
  own.writeUInt32BE(frame.height, 4);
  const png = Buffer.concat([
    SIGNATURE,
    ...[pngChunk('IHDR', own), ...shared],
    ...[pngChunk('IDAT', Buffer.concat(frame.data)), pngChunk('IEND', Buffer.alloc(0))],
  ]);
  return sharp(png, { failOn: 'error' }).toColorspace('srgb').ensureAlpha().raw().toBuffer();
}

function draw(canvas: Buffer, width: number, frame: Frame, pixels: Buffer): void {
  const rowBytes = frame.width * CHANNELS;
  for (let row = 0; row < frame.height; row += 1) {
    const at = ((frame.top + row) * width + frame.left) * CHANNELS;
    const from = row * rowBytes;
    if (!frame.isOver) pixels.copy(canvas, at, from, from + rowBytes);
    else
      for (let pixel = 0; pixel < rowBytes; pixel += CHANNELS)
        blend(canvas, at + pixel, pixels, from + pixel);
  }
}

/** Draws one pixel over another with the Porter-Duff "over" operator. Neither pixel is premultiplied. */
function blend(canvas: Buffer, at: number, pixels: Buffer, from: number): void {
  const alpha = pixels[from + 3]!;
  const below = (canvas[at + 3]! * (255 - alpha)) / 255;
  const sum = alpha + below;
  if (alpha === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    const mixed = pixels[from + channel]! * alpha + canvas[at + channel]! * below;
    canvas[at + channel] = Math.round(mixed / sum);
  }
  canvas[at + 3] = Math.round(sum);
}

function clear(canvas: Buffer, width: number, { left, top, height, ...frame }: Frame): void {
  for (let row = top; row < top + height; row += 1) {
    const at = (row * width + left) * CHANNELS;
    canvas.fill(0, at, at + frame.width * CHANNELS);
  }
}
