import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { packed } from '../fonts/bytes-view.ts';
import { compactProfile, profileSpace } from './icc-profile.ts';
import { SRGB_PROFILE } from './srgb-profile.ts';

const POINT = packed([4, 0x58595a20], [4, 0], [4, 1], [4, 2], [4, 3]);

/** Returns a sampled curve with this exponent. */
const curve = (exponent: number, count: number) =>
  Buffer.concat([
    packed([4, 0x63757276], [4, 0], [4, count]),
    ...Array.from({ length: count }, (_, at) =>
      packed([2, Math.round(65_535 * (at / (count - 1)) ** exponent)]),
    ),
  ]);

function profile(space: string, tags: Record<string, Uint8Array>): Buffer {
  const header = Buffer.alloc(128);
  header.write(space, 16);
  header.write('acsp', 36);
  const entries = Object.entries(tags);
  let at = 132 + entries.length * 12;
  const table = entries.map(([tag, value]) => {
    at += value.length;
    return Buffer.concat([Buffer.from(tag), packed([4, at - value.length], [4, value.length])]);
  });
  return Buffer.concat([header, packed([4, entries.length]), ...table, ...Object.values(tags)]);
}

const tagsOf = (data: Uint8Array) =>
  Array.from({ length: Buffer.from(data).readUInt32BE(128) }, (_, index) =>
    Buffer.from(data).toString('latin1', 132 + index * 12, 136 + index * 12),
  );

describe('a color profile', () => {
  it('keeps what its color conversion needs, and equal curves once', () => {
    const curves = { rTRC: curve(2.2, 1024), gTRC: curve(2.2, 1024), bTRC: curve(2.2, 1024) };
    const points = { wtpt: POINT, rXYZ: POINT, gXYZ: POINT, bXYZ: POINT };
    const whole = profile('RGB ', { ...points, vued: new Uint8Array(900), ...curves });
    const compact = compactProfile(whole);
    expect(profileSpace(compact)).toBe('RGB ');
    expect(tagsOf(compact)).toEqual([...Object.keys(points), ...Object.keys(curves)]);
    expect(compact.length).toBeLessThan(800);
    expect(Buffer.from(compact).readUInt32BE(0)).toBe(compact.length);
    expect(compactProfile(compact).length).toBe(compact.length);
  });

  it('loses the tables needed only for printing', () => {
    const tables = { A2B0: new Uint8Array(400).fill(1), B2A0: new Uint8Array(9000).fill(2) };
    const compact = compactProfile(profile('CMYK', { wtpt: POINT, ...tables }));
    expect(tagsOf(compact)).toEqual(['wtpt', 'A2B0']);
    expect(Buffer.from(compact).toString('latin1', 12, 16)).toBe('scnr');
    expect(compact.length).toBeLessThan(1000);
  });

  it('of sRGB is recognized as sRGB by another program', async () => {
    const pixels = Buffer.from(Array.from({ length: 256 * 3 }, (_, at) => (at * 7) & 255));
    const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'srgb.icc');
    writeFileSync(path, SRGB_PROFILE);
    const raw = { raw: { width: 256, height: 1, channels: 3 as const } };
    const tagged = await sharp(pixels, raw).withIccProfile(path).png().toBuffer();
    const seen = await sharp(tagged).toColorspace('srgb').raw().toBuffer();
    const most = pixels.reduce((max, value, at) => Math.max(max, Math.abs(value - seen[at]!)), 0);
    expect(most).toBeLessThanOrEqual(1);
    expect(SRGB_PROFILE.length).toBeLessThan(600);
  });

  it('is refused if it is damaged', () => {
    const whole = profile('RGB ', { wtpt: POINT });
    expect(() => compactProfile(whole.subarray(0, 140))).toThrow(RangeError);
    expect(profileSpace(new Uint8Array(40))).toBeUndefined();
  });
});
