/** Writes a ZIP archive of stored (uncompressed) entries as a stream of known length (PKWARE APPNOTE 6.3). */

export interface ZipEntry {
  /** Written in UTF-8; with forward slashes, never absolute. */
  name: string;
  /** Bytes of the content. */
  size: number;
  /** CRC-32 of the content. */
  crc32: number;
  /** The content, in pieces. */
  open(): AsyncIterable<Uint8Array>;
}

/** Beyond this the 32-bit fields are too narrow; ZIP64 is not written. */
export const MAXIMUM_ZIP_BYTES = 0xffff_fffe;
const MAXIMUM_ENTRIES = 0xffff;

const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const END_RECORD = 22;
/** Bit 11: the name is UTF-8. */
const UTF_8_FLAG = 0x0800;
/** 1980-01-01: archives of equal content are equal. */
const DOS_DATE = 0x0021;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO 3309) of bytes; `before` continues an earlier piece. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let index = 0; index < bytes.length; index += 1) {
    value = (TABLE[(value ^ (bytes[index] as number)) & 255] as number) ^ (value >>> 8);
  }
  return ~value >>> 0;
}

const ENCODER = new TextEncoder();

/** Length in bytes of the archive of these entries. Throws RangeError where the format cannot hold them. */
export function zipLength(entries: readonly Pick<ZipEntry, 'name' | 'size'>[]): number {
  let length = END_RECORD;
  for (const entry of entries) {
    const nameBytes = ENCODER.encode(entry.name).length;
    length += LOCAL_HEADER + CENTRAL_HEADER + nameBytes * 2 + entry.size;
  }
  if (entries.length > MAXIMUM_ENTRIES || length > MAXIMUM_ZIP_BYTES) {
    throw new RangeError('the archive would exceed what ZIP without ZIP64 can hold');
  }
  return length;
}

/** The archive in pieces, `zipLength(entries)` bytes in all. */
export async function* zipStored(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const nameBytes = ENCODER.encode(entry.name);
    const local = header(0x04034b50, LOCAL_HEADER, entry, nameBytes);
    yield local;
    for await (const piece of entry.open()) yield piece;
    const record = header(0x02014b50, CENTRAL_HEADER, entry, nameBytes);
    new DataView(record.buffer).setUint32(42, offset, true);
    central.push(record);
    offset += local.length + entry.size;
  }
  let directoryLength = 0;
  for (const record of central) {
    yield record;
    directoryLength += record.length;
  }
  const end = new DataView(new ArrayBuffer(END_RECORD));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, directoryLength, true);
  end.setUint32(16, offset, true);
  yield new Uint8Array(end.buffer);
}

/** A local header, or one of the central directory, which has "made by" before the same fields. */
function header(
  signature: number,
  length: number,
  entry: ZipEntry,
  nameBytes: Uint8Array,
): Uint8Array {
  const bytes = new Uint8Array(length + nameBytes.length);
  const view = new DataView(bytes.buffer);
  const shift = length === CENTRAL_HEADER ? 2 : 0;
  view.setUint32(0, signature, true);
  if (shift > 0) view.setUint16(4, 20, true);
  view.setUint16(4 + shift, 20, true);
  view.setUint16(6 + shift, UTF_8_FLAG, true);
  view.setUint16(12 + shift, DOS_DATE, true);
  view.setUint32(14 + shift, entry.crc32, true);
  view.setUint32(18 + shift, entry.size, true);
  view.setUint32(22 + shift, entry.size, true);
  view.setUint16(26 + shift, nameBytes.length, true);
  bytes.set(nameBytes, length);
  return bytes;
}
