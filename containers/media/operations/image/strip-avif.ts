/**
 * Removes the metadata of an AVIF. Overwrites the data of its EXIF and XMP items in place, so that no offset in the
 * file changes (ISO/IEC 14496-12, section 8.11). The orientation of an AVIF is a property of the image, so it is not
 * affected.
 */
import { type Box, boxesIn, findBox } from './isobmff.ts';

const UUID_BOX = 'uuid';

export function strippedAvif(bytes: Buffer): Buffer | null {
  const file = Buffer.from(bytes);
  const top = boxesIn(file, 0, file.length);
  const meta = findBox(top, 'meta');
  // Image sequences, which have a `moov` box, store their metadata elsewhere.
  if (!meta || findBox(top, 'moov')) return null;
  const inner = boxesIn(file, meta.start + 4, meta.end);
  const [info, locations] = [findBox(inner, 'iinf'), findBox(inner, 'iloc')];
  if (!info || !locations) return null;
  const hidden = hideMetadataItems(file, info);
  if (hidden.size > 0) {
    const extents = extentsOf(file, locations, findBox(inner, 'idat'));
    for (const item of hidden) {
      const found = extents?.get(item);
      if (!found) return null;
      for (const [from, to] of found) file.fill(0, from, to);
    }
  }
  for (const box of top) if (box.type === UUID_BOX) file.fill(0, box.start, box.end);
  const end = top.at(-1)?.end ?? 0;
  return file.subarray(0, end);
}

/** Changes EXIF and XMP items to a type that readers ignore, and returns their identifiers. */
function hideMetadataItems(file: Buffer, info: Box): Set<number> {
  const version = file[info.start] ?? 0;
  const entries = boxesIn(file, info.start + (version === 0 ? 6 : 8), info.end);
  const found = new Set<number>();
  for (const { type, start } of entries) {
    const entryVersion = file[start] ?? 0;
    if (type !== 'infe' || entryVersion < 2) continue;
    const wide = entryVersion > 2;
    const item = wide ? file.readUInt32BE(start + 4) : file.readUInt16BE(start + 4);
    const typeAt = start + (wide ? 10 : 8);
    const kind = file.toString('latin1', typeAt, typeAt + 4);
    if (kind !== 'Exif' && kind !== 'mime') continue;
    file.write('free', typeAt, 'latin1');
    found.add(item);
  }
  return found;
}

/** Returns the byte ranges of each item, or null if a range is invalid or a construction method is not supported. */
function extentsOf(
  file: Buffer,
  { start }: Box,
  data: Box | undefined,
): Map<number, [from: number, to: number][]> | null {
  let at = start;
  const number = (size: number) => {
    at += size;
    return size === 0
      ? 0
      : size === 8
        ? Number(file.readBigUInt64BE(at - 8))
        : file.readUIntBE(at - size, size);
  };
  const version = number(1);
  at += 3;
  const sizes = number(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version > 0 ? sizes & 15 : 0;
  const idSize = version < 2 ? 2 : 4;
  const extents = new Map<number, [number, number][]>();
  for (let left = number(idSize); left > 0; left -= 1) {
    const item = number(idSize);
    const method = version > 0 ? number(2) & 15 : 0;
    at += 2;
    // Method 0 stores data in the file, and method 1 stores it in the item data box.
    if (method > 1 || (method === 1 && !data)) return null;
    const base = number(baseSize) + (method === 1 ? (data?.start ?? 0) : 0);
    const found: [number, number][] = [];
    for (let count = number(2); count > 0; count -= 1) {
      number(indexSize);
      const from = base + number(offsetSize);
      const length = number(lengthSize);
      if (length === 0 || from + length > file.length) return null;
      found.push([from, from + length]);
    }
    extents.set(item, found);
  }
  return extents;
}
