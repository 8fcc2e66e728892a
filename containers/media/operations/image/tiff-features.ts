/** The features of a TIFF that libtiff lacks (TIFF 6.0, section 2): for some it reports success and draws black. */

const COMPRESSION = 259;
const PLANAR = 284;
const TILE_WIDTH = 322;
const SEPARATE_PLANES = 2;

const UNSUPPORTED: Readonly<Record<number, string>> = {
  6: 'old-style JPEG compression',
  34661: 'JBIG compression',
  34712: 'JPEG 2000 compression',
  34887: 'LERC compression',
  34925: 'LZMA compression',
  50000: 'Zstandard compression',
  50002: 'JPEG XL compression',
};

/** The first unsupported feature of the first page; undefined if there is none. */
export function unsupportedTiffFeature(tiff: Buffer): string | undefined {
  const tags = shortTags(tiff);
  if (tags.get(PLANAR) === SEPARATE_PLANES && tags.has(TILE_WIDTH)) {
    return 'separate color planes in tiles';
  }
  return UNSUPPORTED[tags.get(COMPRESSION) ?? 1];
}

/** The first value of each tag of the first directory, read as a SHORT; empty for a BigTIFF. */
function shortTags(tiff: Buffer): Map<number, number> {
  const isLittle = tiff[0] === 0x49;
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const tags = new Map<number, number>();
  if (tiff.length < 8 || short(2) !== 42) return tags;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return tags;
  const end = Math.min(directory + 2 + short(directory) * 12, tiff.length - 11);
  for (let at = directory + 2; at < end; at += 12) tags.set(short(at), short(at + 8));
  return tags;
}
