/** Every QR code that generate_qr_code draws is read back by zbarimg, byte for byte. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { drawPng, encodeQr } from '../src/tools/generate_qr_code/qr.ts';

/** Bytes that versions 1 to 40 hold at level M (ISO/IEC 18004, table 7). */
const CAPACITY = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
  711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989,
  2099, 2213, 2331,
];

const modulesOf = (version: number) => 17 + 4 * version;

async function scan(text: string, size: number): Promise<string> {
  const code = encodeQr(new TextEncoder().encode(text));
  const png = await drawPng(code, size);
  const { stdout, error } = spawnSync('zbarimg', ['--raw', '--quiet', '-Sbinary', '-'], {
    input: png,
  });
  if (error) throw error;
  return stdout.toString('utf8');
}

/** Text of exactly `bytes` bytes of ASCII, without a pattern. */
function noise(bytes: number, seed: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#&= ';
  let text = '';
  let x = seed;
  while (text.length < bytes) {
    x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
    text += letters[(x >> 8) % letters.length];
  }
  return text;
}

describe('a QR code', () => {
  it('scans at the default size in all 40 versions, filled to the last byte', async () => {
    for (const [index, bytes] of CAPACITY.entries()) {
      for (const text of [noise(bytes, bytes), '7'.repeat(bytes), 'A'.repeat(bytes)]) {
        const code = encodeQr(new TextEncoder().encode(text));
        expect(code.modules).toBe(modulesOf(index + 1));
        expect(await scan(text, 300)).toBe(text);
      }
    }
  });

  it('scans with one pixel a module and little margin in all 40 versions', async () => {
    for (const [index, bytes] of CAPACITY.entries()) {
      const text = noise(bytes, index);
      for (const more of [2, 3, 4, 5, 6, 7, 8, 9]) {
        const size = modulesOf(index + 1) + more;
        expect([size, await scan(text, size)]).toEqual([size, text]);
      }
    }
  });

  it('scans with two pixels a module and at large sizes', async () => {
    for (const [index, bytes] of CAPACITY.entries()) {
      const text = noise(bytes, index);
      const modules = modulesOf(index + 1);
      for (const size of [2 * (modules + 8), 2 * modules + 19, 1000]) {
        expect([size, await scan(text, size)]).toEqual([size, text]);
      }
    }
  });

  it('gives back UTF-8, emoji, control characters and line breaks as they went in', async () => {
    // biome-ignore format: a table
    const texts = [
      'Grüße', 'é', 'ÿ', 'Ω', '日本語', 'ｱｲｳ', 'שלום', '😀👍🏽', '\ufeffx', '\ufffd', '€'.repeat(777),
      '\0', 'a\0b', '\x01\x02\x7f', '\n', 'a\r\nb\n', '\t', ' ', '0123456789', 'HELLO WORLD',
      'WIFI:T:WPA;S:net;P:pass;;', 'https://example.com/?q=1&r=%20#x',
    ];
    for (const text of texts) expect(await scan(text, 300)).toBe(text);
  });

  it('gives back digits and the alphanumeric set beyond what fits as bytes', async () => {
    const digits = '9081726354'.repeat(560);
    const signs = 'AZ09 $%*+-./:'.repeat(261);
    for (const length of [2332, 3500, 4444, 5596]) {
      const text = digits.slice(0, length);
      expect(await scan(text, 300)).toBe(text);
    }
    for (const length of [2332, 3000, 3391]) {
      const text = signs.slice(0, length);
      expect(await scan(text, 300)).toBe(text);
    }
  });
});
