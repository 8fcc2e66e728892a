/**
 * Decodes older filters, which newer files replace with FlateDecode (ISO 32000-1, sections 7.4.2 to 7.4.5). Each
 * function throws PdfDamage if the data is damaged, except `runLength`, for which all data is valid.
 */
import { PdfDamage, StreamTooLarge } from './objects.ts';

/** A buffer that grows up to `limit` bytes. Throws StreamTooLarge beyond that. */
class Output {
  private bytes: Uint8Array;
  private length = 0;
  private readonly limit: number;

  constructor(guess: number, limit: number) {
    this.bytes = new Uint8Array(Math.max(64, Math.min(guess, limit)));
    this.limit = limit;
  }

  add(piece: Uint8Array): void {
    const length = this.length + piece.length;
    if (length > this.limit) throw new StreamTooLarge();
    if (length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(piece, this.length);
    this.length = length;
  }

  result = (): Uint8Array => this.bytes.subarray(0, this.length);
}

const CLEAR = 256;
const END = 257;
const MAX_BITS = 12;

/** Decodes LZW data. With `early`, the code length increases one code early, which is the default for LZWDecode. */
export function lzw(data: Uint8Array, early: boolean, limit: number): Uint8Array {
  const output = new Output(data.length * 4, limit);
  const shift = early ? 1 : 0;
  const roots = Array.from({ length: 256 }, (_, code) => Uint8Array.of(code));
  let table: Uint8Array[] = [];
  let bits = 9;
  let previous: Uint8Array | undefined;
  let held = 0;
  let heldBits = 0;
  for (const byte of data) {
    held = (held << 8) | byte;
    heldBits += 8;
    if (heldBits < bits) continue;
    heldBits -= bits;
    const code = held >>> heldBits;
    held &= (1 << heldBits) - 1;
    if (code === END) break;
    if (code === CLEAR) {
      table = [];
      bits = 9;
      previous = undefined;
      continue;
    }
    let entry = code < CLEAR ? roots[code] : table[code - END - 1];
    if (!entry) {
      if (!previous) throw new PdfDamage('an LZW code is not in its table');
      entry = joined(previous, previous[0] as number);
    }
    output.add(entry);
    if (previous && table.length + END + 1 < 1 << MAX_BITS) {
      table.push(joined(previous, entry[0] as number));
    }
    previous = entry;
    const next = table.length + END + 1 + shift;
    bits = Math.min(MAX_BITS, Math.max(9, Math.floor(Math.log2(next)) + 1));
  }
  return output.result();
}

function joined(start: Uint8Array, last: number): Uint8Array {
  const result = new Uint8Array(start.length + 1);
  result.set(start);
  result[start.length] = last;
  return result;
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0;

export function asciiHex(data: Uint8Array): Uint8Array {
  let digits = '';
  for (const code of data) {
    if (code === 62) break;
    if (!isSpace(code)) digits += String.fromCharCode(code);
  }
  if (/[^0-9a-f]/i.test(digits)) throw new PdfDamage('not hexadecimal');
  if (digits.length % 2 === 1) digits += '0';
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

export function ascii85(data: Uint8Array): Uint8Array {
  const output = new Output(data.length, data.length * 4 + 4);
  let group: number[] = [];
  for (const code of data) {
    if (code === 126) break;
    if (isSpace(code)) continue;
    if (code === 122 && group.length === 0) {
      output.add(new Uint8Array(4));
      continue;
    }
    if (code < 33 || code > 117) throw new PdfDamage('not base 85');
    group.push(code - 33);
    if (group.length < 5) continue;
    output.add(bytesOf(group));
    group = [];
  }
  if (group.length > 1) {
    const count = group.length - 1;
    while (group.length < 5) group.push(84);
    output.add(bytesOf(group).subarray(0, count));
  }
  return output.result();
}

function bytesOf(group: readonly number[]): Uint8Array {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
  return Uint8Array.of(value / 0x1000000, value / 0x10000, value / 0x100, value);
}

export function runLength(data: Uint8Array, limit: number): Uint8Array {
  const output = new Output(data.length * 2, limit);
  for (let at = 0; at < data.length; ) {
    const length = data[at] as number;
    at += 1;
    if (length === 128) break;
    if (length < 128) {
      output.add(data.subarray(at, at + length + 1));
      at += length + 1;
    } else {
      output.add(new Uint8Array(257 - length).fill(data[at] as number));
      at += 1;
    }
  }
  return output.result();
}
