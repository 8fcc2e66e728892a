/** Checks that zbarimg decodes every QR code of generate_qr_code to the exact bytes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { drawPng, encodeQr } from '../src/tools/generate_qr_code/qr.ts';
import { someOf } from './support/matrix.ts';

/** The capacity in bytes of versions 1 to 40 at level M (ISO/IEC 18004, table 7). */
const CAPACITY = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
  711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989,
  2099, 2213, 2331,
];

const modulesOf = (version: number) => 17 + 4 * version;

const codes = new Map<string, ReturnType<typeof encodeQr>>();

/** Caches the QR codes for all image sizes, because encoding takes as long as scanning. */
function codeOf(text: string) {
  const code = codes.get(text) ?? encodeQr(new TextEncoder().encode(text));
  codes.set(text, code);
  return code;
}

interface Drawn {
  text: string;
  /** The side length in pixels. */
  size: number;
}

const folder = mkdtempSync(join(tmpdir(), 'qr-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the data that zbarimg reads from these images, in order. */
function read(paths: readonly string[]): string {
  const options = ['--raw', '--quiet', '--nodbus', '-Sbinary'];
  const { stdout, error } = spawnSync('zbarimg', [...options, ...paths]);
  if (error) throw error;
  return stdout.toString('utf8');
}

/**
 * Scans all images with one call, because starting the program takes most of the time. If the result is wrong, scans
 * them separately.
 */
async function expectScanned(all: readonly Drawn[]): Promise<void> {
  const paths: string[] = [];
  for (const [index, { text, size }] of all.entries()) {
    const path = join(folder, `${index}.png`);
    writeFileSync(path, await drawPng(codeOf(text), size));
    paths.push(path);
  }
  const together = all.map(({ text }) => text).join('');
  if (read(paths) === together) return;
  for (const [index, { text, size }] of all.entries()) {
    expect([size, read([paths[index]!])]).toEqual([size, text]);
  }
  expect(read(paths)).toBe(together);
}

/** Returns exactly `bytes` ASCII characters without a repeating pattern. */
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

/** The tested versions, each with its capacity in bytes. */
const VERSIONS = someOf([...CAPACITY.entries()], 5).map(([index, bytes]) => ({
  version: index + 1,
  bytes,
}));

describe('a QR code', () => {
  it('scans at the default size in every version, filled to the last byte', async () => {
    const filled = VERSIONS.map(({ bytes }) => [
      noise(bytes, bytes),
      '7'.repeat(bytes),
      'A'.repeat(bytes),
    ]);
    const versions = filled.map((texts) => texts.map((text) => codeOf(text).modules));
    expect(versions).toEqual(VERSIONS.map(({ version }) => Array(3).fill(modulesOf(version))));
    await expectScanned(filled.flat().map((text) => ({ text, size: 300 })));
  });

  it('scans with one pixel per module and a narrow margin in every version', async () => {
    const margins = [2, 3, 4, 5, 6, 7, 8, 9];
    await expectScanned(
      VERSIONS.flatMap(({ bytes, version }) =>
        margins.map((more) => ({ text: noise(bytes, bytes), size: modulesOf(version) + more })),
      ),
    );
  });

  it('scans with two pixels per module and at large sizes', async () => {
    await expectScanned(
      VERSIONS.flatMap(({ bytes, version }) => {
        const modules = modulesOf(version);
        const sizes = [2 * (modules + 8), 2 * modules + 19, Math.round(4.5 * (modules + 8)), 1000];
        return sizes.map((size) => ({ text: noise(bytes, bytes), size }));
      }),
    );
  });

  it('returns UTF-8, emoji, control characters and line breaks unchanged', async () => {
    // biome-ignore format: a table
    const texts = [
      'Grüße', 'é', 'ÿ', 'Ω', '日本語', 'ｱｲｳ', 'שלום', '😀👍🏽', '\ufeffx', '\ufffd', '€'.repeat(777),
      '\0', 'a\0b', '\x01\x02\x7f', '\n', 'a\r\nb\n', '\t', ' ', '0123456789', 'HELLO WORLD',
      'WIFI:T:WPA;S:net;P:pass;;', 'https://example.com/?q=1&r=%20#x',
    ];
    await expectScanned(texts.map((text) => ({ text, size: 300 })));
  });

  it('returns digits and alphanumeric text beyond the byte capacity', async () => {
    const digits = '9081726354'.repeat(560);
    const signs = 'AZ09 $%*+-./:'.repeat(261);
    const texts = [
      ...[2332, 3500, 4444, 5596].map((length) => digits.slice(0, length)),
      ...[2332, 3000, 3391].map((length) => signs.slice(0, length)),
    ];
    await expectScanned(texts.map((text) => ({ text, size: 300 })));
  });
});
