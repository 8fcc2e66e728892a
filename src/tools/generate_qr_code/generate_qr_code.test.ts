import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { generateQrCode } from './generate_qr_code.ts';
import { encodeQr } from './qr.ts';

interface Result {
  dataUrl: string;
  text: string;
  size: number;
}

const generate = async (parameters: Record<string, unknown>) => {
  const { value, warnings } = await runTool(generateQrCode, parameters);
  return { ...(value as unknown as Result), warnings };
};

/** Decodes one of our PNGs to rows of pixels. True is black. */
async function readPng(dataUrl: string) {
  const prefix = 'data:image/png;base64,';
  expect(dataUrl.startsWith(prefix)).toBe(true);
  const png = Uint8Array.fromBase64(dataUrl.slice(prefix.length));
  const view = new DataView(png.buffer);
  const width = view.getUint32(16);
  expect([view.getUint32(20), png[24], png[25]]).toEqual([width, 1, 0]);
  const data = png.subarray(41, 41 + view.getUint32(33));
  const inflated = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(await new Response(inflated).arrayBuffer());
  const stride = Math.ceil(width / 8) + 1;
  expect(rows.length).toBe(width * stride);
  return Array.from({ length: width }, (_, y) =>
    Array.from(
      { length: width },
      (_, x) => (((rows[y * stride + 1 + (x >> 3)] as number) >> (7 - (x & 7))) & 1) === 0,
    ),
  );
}

/** Returns the width in pixels of the white margin on each side of a square image. */
function box(pixels: boolean[][]) {
  const rows = pixels.flatMap((row, y) => (row.includes(true) ? [y] : []));
  const columns = pixels.flatMap((row) => row.flatMap((dark, x) => (dark ? [x] : [])));
  return {
    top: rows[0],
    bottom: pixels.length - 1 - (rows.at(-1) as number),
    left: columns.reduce((a, b) => Math.min(a, b)),
    right: pixels.length - 1 - columns.reduce((a, b) => Math.max(a, b)),
  };
}

// test/qr-scan.test.ts scans the QR codes with zbarimg.
describe('generate_qr_code', () => {
  it('returns a base64 PNG data URI, the text and the size', async () => {
    const { dataUrl, text, size, warnings } = await generate({ text: 'hello' });
    expect({ text, size, warnings }).toEqual({ text: 'hello', size: 300, warnings: [] });
    expect(await readPng(dataUrl)).toHaveLength(300);
  });

  it('has exactly the requested size, from one pixel per module up to 4,096', async () => {
    for (const size of [21, 22, 100, 299, 301, 1000, 4096]) {
      const { dataUrl, size: given } = await generate({ text: 'hello', size });
      expect(given).toBe(size);
      const png = Uint8Array.fromBase64(dataUrl.slice(dataUrl.indexOf(',') + 1));
      expect(new DataView(png.buffer).getUint32(16)).toBe(size);
      expect(new DataView(png.buffer).getUint32(20)).toBe(size);
    }
  });

  it('has an exact quiet zone of four modules from four pixels per module on', async () => {
    for (const [text, size] of [
      ['hello', 300],
      ['hello', 117],
      ['x'.repeat(100), 1000],
      ['x'.repeat(2331), 1000],
    ] as const) {
      const pixels = await readPng((await generate({ text, size })).dataUrl);
      const { top, bottom, left, right } = box(pixels);
      const modules = encodeQr(new TextEncoder().encode(text)).modules;
      const four = (4 * size) / (modules + 8);
      for (const margin of [top, bottom, left, right]) {
        expect(Math.abs((margin as number) - four)).toBeLessThanOrEqual(0.5);
      }
    }
  });

  it('draws every module in whole pixels', async () => {
    const code = encodeQr(new TextEncoder().encode('hello'));
    for (const size of [300, 131]) {
      const pixels = await readPng((await generate({ text: 'hello', size })).dataUrl);
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          const [row, column] = [y, x].map((at) => Math.floor(((at + 0.5) * 29) / size) - 4);
          const inside = Math.min(row!, column!) >= 0 && Math.max(row!, column!) < 21;
          expect(pixels[y]?.[x]).toBe(inside && code.isDark(row!, column!));
        }
      }
    }
  });

  it('returns SVG with one unit per module and a quiet zone of four', async () => {
    const code = encodeQr(new TextEncoder().encode('hello'));
    const { dataUrl, svg, size, warnings } = (await generate({
      text: 'hello',
      format: 'svg',
      size: 21,
    })) as Result & { svg: string; warnings: string[] };
    const bytes = Uint8Array.fromBase64(dataUrl.slice('data:image/svg+xml;base64,'.length));
    expect(new TextDecoder().decode(bytes)).toBe(svg);
    expect(svg).toMatch(/^<svg [^>]*width="21" height="21" viewBox="0 0 29 29"/);
    expect({ size, warnings }).toEqual({ size: 21, warnings: [] });
    const dark = new Set<string>();
    for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
      for (let module = 0; module < Number(width); module++) dark.add(`${Number(x) + module},${y}`);
    }
    for (let row = 0; row < 21; row++) {
      for (let column = 0; column < 21; column++) {
        expect(dark.delete(`${column + 4},${row + 4}`)).toBe(code.isDark(row, column));
      }
    }
    expect(dark.size).toBe(0);
  });

  it('shrinks the margin before rejecting a size', async () => {
    const margins = async (size: number) =>
      box(await readPng((await generate({ text: 'hello', size })).dataUrl));
    expect(await margins(21)).toEqual({ top: 0, bottom: 0, left: 0, right: 0 });
    expect(await margins(27)).toEqual({ top: 3, bottom: 3, left: 3, right: 3 });
    expect(await margins(29)).toEqual({ top: 3, bottom: 5, left: 3, right: 5 });
    expect(await margins(58)).toEqual({ top: 8, bottom: 8, left: 8, right: 8 });
  });

  it('warns if the margin is too small for some readers', async () => {
    expect((await generate({ text: 'hello', size: 21 })).warnings).toEqual([
      '"size" is too small for the four-module quiet zone that scanners need. Use at least 29 pixels.',
    ]);
    expect((await generate({ text: 'hello', size: 29 })).warnings).toEqual([]);
  });

  it('rejects a size below the module count and names that count', async () => {
    for (const size of [20, 1, 0, -300]) {
      await expect(generate({ text: 'hello', size })).rejects.toMatchObject({
        status: 400,
        param: 'size',
        message: expect.stringContaining('at least 21 pixels'),
      });
    }
    await expect(generate({ text: 'x'.repeat(2331), size: 176 })).rejects.toThrow('177 × 177');
  });

  it('rejects a size above 4,096', async () => {
    for (const size of [4097, 1e300, Number.POSITIVE_INFINITY]) {
      await expect(generate({ text: 'hello', size })).rejects.toMatchObject({
        status: 400,
        param: 'size',
      });
    }
  });

  it('ignores a size that is not a number, with a warning', async () => {
    for (const given of ['500', null, true, [500]]) {
      const { size, warnings } = await generate({ text: 'hello', size: given });
      expect(size).toBe(300);
      expect(warnings).toHaveLength(1);
    }
  });

  it('truncates a fractional size with a warning', async () => {
    const { size, warnings } = await generate({ text: 'hello', size: 120.9 });
    expect(size).toBe(120);
    expect(warnings).toEqual(['size: 120.9 was replaced by 120.']);
  });

  it('ignores errorCorrection with a warning and always uses level M', async () => {
    const plain = await generate({ text: 'hello' });
    for (const errorCorrection of ['L', 'Q', 'H', 'X', 5]) {
      const { dataUrl, warnings } = await generate({ text: 'hello', errorCorrection });
      expect(dataUrl).toBe(plain.dataUrl);
      expect(warnings).toHaveLength(1);
    }
    expect((await generate({ text: 'hello', errorCorrection: 'M' })).warnings).toEqual([]);
  });

  it('encodes level M in the code', async () => {
    const pixels = await readPng((await generate({ text: 'hello', size: 29 })).dataUrl);
    // The first two format bits are 00 for level M, and their mask is 10 (ISO/IEC 18004, 7.9.1).
    expect([pixels[3 + 8]?.[3], pixels[3 + 8]?.[4]]).toEqual([true, false]);
  });

  it('accepts up to 2,331 bytes of UTF-8 and reports the limit for a longer text', async () => {
    const most = 'é'.repeat(1165);
    expect((await generate({ text: `${most}a` })).text).toBe(`${most}a`);
    await expect(generate({ text: `${most}ab` })).rejects.toMatchObject({
      status: 400,
      param: 'text',
      message: expect.stringMatching(/2332 bytes.*at most 2331/),
    });
  });

  it('accepts up to 5,596 digits and 3,391 characters of the alphanumeric set', async () => {
    for (const [character, most] of [
      ['7', 5596],
      ['A', 3391],
    ] as const) {
      const text = character.repeat(most);
      expect((await generate({ text })).text).toBe(text);
      await expect(generate({ text: text + character })).rejects.toMatchObject({ status: 400 });
    }
  });

  it('returns the same image for the same text', async () => {
    const first = await generate({ text: 'hello' });
    expect((await generate({ text: 'hello' })).dataUrl).toBe(first.dataUrl);
  });

  it('rejects a lone surrogate and an empty or missing text', async () => {
    for (const text of ['\ud800', '', undefined, 5]) {
      await expect(generate({ text })).rejects.toMatchObject({ status: 400, param: 'text' });
    }
  });
});
