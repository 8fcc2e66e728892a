/** Detects the format of an image from its first bytes. The service can measure each of these formats or decode it. */
import { isPdf } from './magic-bytes.ts';

export type ReadableKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | 'svg';

/** All kinds that are detected. The service can measure `ico` and `bmp`, but cannot decode them. */
export type ImageKind = ReadableKind | 'ico' | 'bmp';

export const READABLE_IMAGES = 'JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC or SVG';

/** The expected bytes, one per character, and their offset. */
type Signature = readonly [at: number, bytes: string];

const SIGNATURES: [ImageKind, Signature[]][] = [
  ['jpeg', [[0, '\xff\xd8\xff']]],
  ['png', [[0, '\x89PNG\r\n\x1a\n']]],
  ['gif', [[0, 'GIF87a']]],
  ['gif', [[0, 'GIF89a']]],
  [
    'webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  ],
  ['tiff', [[0, 'II*\0']]],
  ['tiff', [[0, 'II+\0']]],
  ['tiff', [[0, 'MM\0*']]],
  ['tiff', [[0, 'MM\0+']]],
  ['ico', [[0, '\0\0\x01\0']]],
  ['bmp', [[0, 'BM']]],
];

/** The names that messages use for kinds that cannot be read. */
const UNREADABLE: Partial<Record<ImageKind, string>> = {
  ico: 'an icon file',
  bmp: 'a BMP image',
};

/** Formats that are often mistaken for readable images, with the names that messages use for them. */
const OTHERS: [string, Signature][] = [
  ['a JPEG XL image', [0, '\xff\x0a']],
  ['a JPEG XL image', [4, 'JXL ']],
  ['a JPEG 2000 image', [4, 'jP  ']],
  ['a Photoshop file', [0, '8BPS']],
  ['a video or audio file', [4, 'ftyp']],
  ['a video or audio file', [4, 'moov']],
  ['a video or audio file', [4, 'mdat']],
  ['a video or audio file', [0, '\x1aE\xdf\xa3']],
  ['a video or audio file', [8, 'AVI ']],
  ['a video or audio file', [8, 'WAVE']],
  ['a video or audio file', [0, 'FLV\x01']],
  ['a video or audio file', [0, 'OggS']],
  ['a video or audio file', [0, 'ID3']],
  ['a video or audio file', [0, '\0\0\x01\xba']],
  ['a video or audio file', [0, '\0\0\x01\xb3']],
  ['compressed with gzip, like SVGZ: decompress it first', [0, '\x1f\x8b']],
  ['UTF-16 text, but an SVG must be UTF-8', [0, '\xff\xfe<\0']],
  ['UTF-16 text, but an SVG must be UTF-8', [0, '\xfe\xff\0<']],
  ['a ZIP archive or Office document', [0, 'PK\x03\x04']],
];

/** The brands of ISO base media files that are images (ISO/IEC 23008-12, AV1 Image File Format). */
const AVIF_BRANDS = ['avif', 'avis'];
const HEIF_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** Detects the kind of image from the first bytes of a file. Returns null for any other file. */
export function imageKind(head: Uint8Array): ImageKind | null {
  for (const [kind, signatures] of SIGNATURES) {
    if (signatures.every((signature) => has(head, signature))) return kind;
  }
  if (has(head, [4, 'ftyp'])) {
    const brands = brandsOf(head);
    if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif';
    return brands.some((brand) => HEIF_BRANDS.includes(brand)) ? 'heic' : null;
  }
  return isSvg(head) ? 'svg' : null;
}

/** Like `imageKind`, but returns only kinds that the service can read. */
export function readableKind(head: Uint8Array): ReadableKind | null {
  const kind = imageKind(head);
  return kind === 'ico' || kind === 'bmp' ? null : kind;
}

/**
 * Returns the type of a file that is not a readable image, for a message, such as `a PDF`. Returns undefined if the
 * bytes do not show the type.
 */
export function otherKind(head: Uint8Array): string | undefined {
  if (isPdf(head)) return 'a PDF';
  const kind = imageKind(head);
  if (kind && UNREADABLE[kind]) return UNREADABLE[kind];
  return OTHERS.find(([, signature]) => has(head, signature))?.[0];
}

/** Whether the bytes are a complete PNG, from its signature to its last chunk (PNG specification, 5.2 and 11.2.5). */
export const isWholePng = (bytes: Uint8Array): boolean =>
  readableKind(bytes.subarray(0, 8)) === 'png' && has(bytes, [bytes.length - 8, 'IEND\xaeB`\x82']);

const has = (head: Uint8Array, [at, bytes]: Signature) =>
  latin1(head.subarray(at, at + bytes.length)) === bytes;

/** Returns the major brand and the compatible brands in the `ftyp` box (ISO/IEC 14496-12). */
function brandsOf(head: Uint8Array): string[] {
  const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= Math.min(length, head.length, 256); at += 4) {
    // Skips bytes 12 to 15, which contain the minor version of the major brand.
    if (at !== 12) brands.push(latin1(head.subarray(at, at + 4)));
  }
  return brands;
}

const isSvg = (head: Uint8Array) => svgRootOffset(new TextDecoder().decode(head)) >= 0;

/**
 * Returns the offset of the root element, which follows the declaration, the comments and the document type. Returns -1
 * if the root is not `svg`.
 */
export function svgRootOffset(text: string): number {
  let rest = text.trimStart();
  for (;;) {
    const end = endOfProlog(rest);
    if (end === 0) break;
    if (end < 0) return -1;
    rest = rest.slice(end).trimStart();
  }
  return /^<(?:[\w.-]+:)?svg[\s/>]/.test(rest) ? text.length - rest.length : -1;
}

/**
 * Returns the offset after the declaration, comment or document type at the start of the text. Returns 0 if the text
 * starts with none of them, and -1 if the construct is not closed.
 */
function endOfProlog(text: string): number {
  if (text.startsWith('<!--')) return after(text, '-->');
  if (text.startsWith('<?')) return after(text, '?>');
  if (!/^<!DOCTYPE/i.test(text)) return 0;
  const close = text.indexOf('>');
  // The search for a bracket ends at the first `>`. Otherwise, text with many document types would be scanned to the
  // end for each of them.
  if (!text.slice(0, Math.max(close, 0)).includes('[')) return close + 1 || -1;
  const end = /\]\s*>/.exec(text);
  return end ? end.index + end[0].length : -1;
}

const after = (text: string, mark: string) => {
  const at = text.indexOf(mark);
  return at < 0 ? -1 : at + mark.length;
};

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);
