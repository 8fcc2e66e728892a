import { expect, it } from 'vitest';
import { Utf8Reader } from './utf8-reader.ts';

const utf8 = new TextEncoder();

/** Reads the bytes in pieces of `size`. */
function readIn(size: number, bytes: Uint8Array): string {
  const reader = new Utf8Reader();
  for (let at = 0; at < bytes.length; at += size) reader.append(bytes.subarray(at, at + size));
  return reader.finish();
}

it('decodes the same text from pieces of any size', () => {
  const text = 'aü€😀'.repeat(20_000);
  const bytes = utf8.encode(text);
  for (const size of [1, 7, 65_535, 65_536, 65_537, bytes.length]) {
    expect(readIn(size, bytes) === text).toBe(true);
  }
  expect(new Utf8Reader().finish()).toBe('');
});

it('drops a byte order mark at the beginning, and no other', () => {
  const text = `${'a'.repeat(65_535)}\ufeffb`;
  expect(readIn(1, utf8.encode(`\ufeff${text}`)) === text).toBe(true);
});

it('throws wherever the bytes are not UTF-8', () => {
  for (const length of [0, 65_535, 65_536, 100_000]) {
    const before = utf8.encode('a'.repeat(length));
    expect(() => readIn(9999, new Uint8Array([...before, 0xff, 0x61]))).toThrow(TypeError);
    // These are the first three bytes of a four-byte character.
    expect(() => readIn(9999, new Uint8Array([...before, 0xf0, 0x9f, 0x98]))).toThrow(TypeError);
  }
});
