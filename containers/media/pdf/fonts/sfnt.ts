/**
 * Reads and writes the tables of TrueType and OpenType files (OpenType specification, "Organization of an OpenType
 * font").
 */
import { packed, viewOf } from './bytes-view.ts';

export type Tables = Map<string, Uint8Array>;

export const TRUETYPE = 0x00010000;
export const OPENTYPE_CFF = 0x4f54544f;
const VERSIONS = new Set([TRUETYPE, OPENTYPE_CFF, 0x74727565]);
const MAX_TABLES = 100;
const HEAD_ADJUSTMENT = 8;
const MAGIC_SUM = 0xb1b0afba;

/** Returns the tables by tag, or undefined if the bytes are not a single font. */
export function readTables(bytes: Uint8Array): Tables | undefined {
  if (bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  const count = view.getUint16(4);
  if (!VERSIONS.has(view.getUint32(0)) || count > MAX_TABLES) return undefined;
  if (bytes.length < 12 + count * 16) return undefined;
  const tables: Tables = new Map();
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + index * 16;
    const tag = String.fromCharCode(...bytes.subarray(entry, entry + 4));
    const offset = view.getUint32(entry + 8);
    tables.set(tag, bytes.subarray(offset, offset + view.getUint32(entry + 12)));
  }
  return tables;
}

export function writeTables(version: number, tables: Tables): Uint8Array {
  const sorted = [...tables].sort(([left], [right]) => (left < right ? -1 : 1));
  const count = sorted.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const search = [power * 16, Math.log2(power), (count - power) * 16];
  const pieces = [
    packed([4, version], [2, count], [2, search[0]!], [2, search[1]!], [2, search[2]!]),
  ];
  const bodies: Uint8Array[] = [];
  let offset = 12 + count * 16;
  let headAt = -1;
  for (const [tag, data] of sorted) {
    const padded = new Uint8Array(Math.ceil(data.length / 4) * 4);
    padded.set(data);
    if (tag === 'head' && data.length >= 12) {
      viewOf(padded).setUint32(HEAD_ADJUSTMENT, 0);
      headAt = offset;
    }
    const name = Uint8Array.from(tag, (character) => character.charCodeAt(0));
    pieces.push(name, packed([4, checksum(padded)], [4, offset], [4, data.length]));
    bodies.push(padded);
    offset += padded.length;
  }
  const file = Buffer.concat([...pieces, ...bodies]);
  if (headAt > 0) viewOf(file).setUint32(headAt + HEAD_ADJUSTMENT, MAGIC_SUM - checksum(file));
  return file;
}

function checksum(padded: Uint8Array): number {
  const view = viewOf(padded);
  let sum = 0;
  for (let at = 0; at + 4 <= padded.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
