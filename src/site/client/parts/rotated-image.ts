/**
 * Rotates an image file. A well-formed JPEG or PNG is not encoded again: only the orientation in its EXIF data changes
 * (CIPA DC-008, section 4.6). Other images become PNG.
 */
import { crc32 } from '../../../lib/crc32.ts';
import { stemOf } from '../../../lib/filename.ts';
import { imageKind } from '../../../lib/image-kind.ts';
import { make } from './elements.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The position of the JPEG segment or PNG chunk with a file's EXIF data, or the position at which to insert one. */
interface Container {
  start: number;
  end: number;
  /** The EXIF data, which begins with a TIFF header. Undefined if the file has none. */
  exif?: Bytes;
}

const ORIENTATION = 0x0112;
/** The type of an entry with 32 bits. The orientation should be a SHORT, but decoders accept a LONG. */
const LONG = 4;
/** The orientation after a clockwise rotation by 90 degrees, by orientation. */
const NEXT = [6, 6, 7, 8, 5, 2, 3, 4, 1];
/** EXIF data that declares the orientation 1: a big-endian TIFF header and a directory with one entry. */
const UPRIGHT = '77 77 0 42 0 0 0 8 0 1 1 18 0 3 0 0 0 1 0 1 0 0 0 0 0 0'.split(' ').map(Number);
const UPRIGHT_POSITION = 18;
const EXIF_HEADER = [...'Exif\0\0'].map((character) => character.charCodeAt(0));

/**
 * @param degrees the clockwise rotation: 90, 180 or 270
 * @throws if the browser cannot decode the image
 */
export async function rotatedImage(file: File, degrees: number): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = imageKind(bytes.subarray(0, 64));
  const container =
    kind === 'jpeg' ? jpegContainer(bytes) : kind === 'png' ? pngContainer(bytes) : undefined;
  if (!container) return redrawn(file, degrees);
  const { start, end, exif } = container;
  const rotated = withRotation(exif, degrees / 90);
  const written = kind === 'jpeg' ? jpegSegment(rotated) : pngChunk(rotated);
  const parts = [bytes.subarray(0, start), written, bytes.subarray(end)];
  return new File(parts, file.name, { type: file.type });
}

/** Returns EXIF data with the rotated orientation. Data that declares no orientation is replaced. */
function withRotation(exif: Bytes | undefined, quarters: number): Bytes {
  const copy = exif && new Uint8Array(exif);
  const at = copy && orientationIn(copy);
  const data = at === undefined ? Uint8Array.from(UPRIGHT) : copy!;
  const view = new DataView(data.buffer);
  const isLittle = isLittleEndian(view);
  const position = at ?? UPRIGHT_POSITION;
  let orientation = view.getUint16(position, isLittle);
  for (let done = 0; done < quarters; done += 1) orientation = NEXT[orientation] ?? NEXT[1]!;
  view.setUint16(position, orientation, isLittle);
  return data;
}

const isLittleEndian = (view: DataView) => view.getUint8(0) === 0x49;

/** Returns the position of the orientation in EXIF data, or undefined if the data declares none. */
function orientationIn(exif: Bytes): number | undefined {
  const view = new DataView(exif.buffer);
  try {
    const isLittle = isLittleEndian(view);
    // Decoders ignore data without the right header, so its orientation has no effect.
    if (view.getUint16(0) !== (isLittle ? 0x4949 : 0x4d4d) || view.getUint16(2, isLittle) !== 42) {
      return undefined;
    }
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let entry = directory + 2; entry < directory + 2 + 12 * count; entry += 12) {
      if (view.getUint16(entry, isLittle) !== ORIENTATION || entry + 12 > exif.length) continue;
      // The second half of a big-endian LONG contains the low bits.
      const isLong = view.getUint16(entry + 2, isLittle) === LONG;
      return entry + (isLong && !isLittle ? 10 : 8);
    }
  } catch {
    // The directory is truncated.
  }
  return undefined;
}

/** Finds the EXIF segment of a JPEG, or the position where one can be inserted (ITU-T T.81, annex B). */
function jpegContainer(bytes: Bytes): Container | undefined {
  const view = new DataView(bytes.buffer);
  let insertion = 2;
  for (let start = 2; start + 4 <= bytes.length && bytes[start] === 0xff; ) {
    const marker = bytes[start + 1];
    const end = start + 2 + view.getUint16(start + 2);
    const isExif = EXIF_HEADER.every((byte, index) => bytes[start + 4 + index] === byte);
    if (marker === 0xe1 && isExif) return { start, end, exif: bytes.subarray(start + 10, end) };
    // The JFIF segment must be the first one.
    if (marker === 0xe0 && start === 2) insertion = end;
    // The frame header and the scan follow all metadata that decoders read.
    if (marker === 0xda) return { start: insertion, end: insertion };
    start = end;
  }
  return undefined;
}

function jpegSegment(exif: Bytes): Bytes {
  const length = exif.length + 8;
  return Uint8Array.of(0xff, 0xe1, length >> 8, length & 0xff, ...EXIF_HEADER, ...exif);
}

/**
 * Finds the eXIf chunk of a PNG, or the position after the header, where one can be inserted (PNG, section 11.3.4.5).
 */
function pngContainer(bytes: Bytes): Container | undefined {
  const view = new DataView(bytes.buffer);
  for (let start = 8; start + 12 <= bytes.length; ) {
    const end = start + 12 + view.getUint32(start);
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    if (type === 'eXIf' && end <= bytes.length)
      return { start, end, exif: bytes.subarray(start + 8, end - 4) };
    if (type === 'IEND') return { start: 33, end: 33 };
    start = end;
  }
  return undefined;
}

function pngChunk(exif: Bytes): Bytes {
  const chunk = new Uint8Array(exif.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, exif.length);
  chunk.set(
    [...'eXIf'].map((character) => character.charCodeAt(0)),
    4,
  );
  chunk.set(exif, 8);
  view.setUint32(exif.length + 8, crc32(chunk.subarray(4, exif.length + 8)));
  return chunk;
}

/** Draws the image rotated, and returns it as a PNG. */
async function redrawn(file: File, degrees: number): Promise<File> {
  const image = await createImageBitmap(file);
  const { width, height } = image;
  const isSideways = degrees % 180 !== 0;
  const canvas = make('canvas', {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
  });
  const context = canvas.getContext('2d')!;
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(image, -width / 2, -height / 2);
  image.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error('The browser cannot draw the image.');
  return new File([blob], `${stemOf(file.name)}.png`, { type: blob.type });
}
