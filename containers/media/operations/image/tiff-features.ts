/**
 * Detects TIFF features that our build of libtiff does not support (TIFF 6.0, section 2), and pages that are derived
 * from another page. For some of the unsupported features, libtiff reports success but returns a black image.
 */

const SUBFILE = 254;
const COMPRESSION = 259;
const PLANAR = 284;
const TILE_WIDTH = 322;
const SEPARATE_PLANES = 2;
const LONG = 4;
/** The bits of SUBFILE that mark a smaller copy of another page, such as a thumbnail, and a transparency mask. */
const NOT_A_PAGE = 1 | 4;
/**
 * The maximum number of pages that are searched for derived pages. Finding a page takes time in proportion to its
 * index.
 */
const MAX_LEVELS = 100;

const UNSUPPORTED: Readonly<Record<number, string>> = {
  6: 'old-style JPEG compression',
  34661: 'JBIG compression',
  34712: 'JPEG 2000 compression',
  34887: 'LERC compression',
  34925: 'LZMA compression',
  50000: 'Zstandard compression',
  50002: 'JPEG XL compression',
};

/** Offsets and sizes, in bytes, of the fields in classic TIFF and BigTIFF files. */
const CLASSIC = { first: 4, pointer: 4, count: 2, entry: 12, value: 8 };
const BIG = { first: 8, pointer: 8, count: 8, entry: 20, value: 12 };

/** Returns the first unsupported feature of a page, or undefined. Pages are counted from 0. */
export function unsupportedTiffFeature(tiff: Buffer, page = 0): string | undefined {
  const tags = shortTags(tiff, page);
  if (tags.get(PLANAR) === SEPARATE_PLANES && tags.has(TILE_WIDTH)) {
    return 'separate color planes in tiles';
  }
  return UNSUPPORTED[tags.get(COMPRESSION) ?? 1];
}

/** Returns the pages, counted from 0, without thumbnails, pyramid levels and masks. */
export const ownPages = (tiff: Buffer, pages: number): number[] =>
  Array.from({ length: pages }, (_, page) => page).filter(
    (page) => page === 0 || page >= MAX_LEVELS || !isDerivedPage(tiff, page),
  );

const isDerivedPage = (tiff: Buffer, page: number): boolean =>
  ((shortTags(tiff, page).get(SUBFILE) ?? 0) & NOT_A_PAGE) !== 0;

/**
 * Returns the first value of each tag in a directory, read as a SHORT. The map is empty if the directory cannot be
 * read.
 */
function shortTags(tiff: Buffer, page: number): Map<number, number> {
  const tags = new Map<number, number>();
  const isLittle = tiff[0] === 0x49;
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  // Files are smaller than 4 GB, so the low half of a 64-bit number is enough.
  const low = (at: number) => long(isLittle ? at : at + 4);
  const isBig = tiff.length >= 16 && short(2) === 43;
  const { first, pointer, count, entry, value } = isBig ? BIG : CLASSIC;
  const offset = isBig ? low : long;
  const entriesAt = (at: number) => (isBig ? low(at) : short(at));
  if (tiff.length < first + pointer) return tags;
  let at = offset(first);
  for (let skipped = 0; skipped < page && at + count <= tiff.length; skipped += 1) {
    const next = at + count + entriesAt(at) * entry;
    if (next + pointer > tiff.length) return tags;
    at = offset(next);
  }
  if (at + count > tiff.length) return tags;
  const end = Math.min(at + count + entriesAt(at) * entry, tiff.length - entry + 1);
  for (let tag = at + count; tag < end; tag += entry) {
    const skipped = !isLittle && short(tag + 2) === LONG ? 2 : 0;
    tags.set(short(tag), short(tag + value + skipped));
  }
  return tags;
}
