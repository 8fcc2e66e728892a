/** Defines a compact sRGB color profile (IEC 61966-2-1, ICC.1:2001-04). */
import { packed } from '../fonts/bytes-view.ts';
import { compactProfile } from './icc-profile.ts';

const CURVE_SAMPLES = 1024;
const DESCRIPTION = 'sRGB IEC61966-2.1';

const ascii = (text: string) => Buffer.from(text, 'latin1');
/** Encodes s15Fixed16Numbers, which have sixteen fractional bits. */
const fixed = (values: readonly number[]) =>
  packed(...values.map((value) => [4, Math.round(value * 65_536)] as const));
const point = (...values: number[]) => Buffer.concat([ascii('XYZ \0\0\0\0'), fixed(values)]);

const light = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const CURVE = Buffer.concat([
  ascii('curv\0\0\0\0'),
  packed([4, CURVE_SAMPLES]),
  ...Array.from({ length: CURVE_SAMPLES }, (_, index) =>
    packed([2, Math.round(65_535 * light(index / (CURVE_SAMPLES - 1)))]),
  ),
]);

/** The colors are relative to the D50 illuminant. */
const TAGS: Readonly<Record<string, Uint8Array>> = {
  desc: Buffer.concat([
    ascii('desc\0\0\0\0'),
    packed([4, DESCRIPTION.length + 1]),
    ascii(`${DESCRIPTION}\0`),
    Buffer.alloc(78),
  ]),
  cprt: ascii('text\0\0\0\0No copyright\0'),
  wtpt: point(0.9642, 1, 0.8249),
  rXYZ: point(0.43607, 0.22249, 0.01392),
  gXYZ: point(0.38515, 0.71687, 0.09708),
  bXYZ: point(0.14307, 0.06061, 0.7141),
  rTRC: CURVE,
  gTRC: CURVE,
  bTRC: CURVE,
};

export const SRGB_PROFILE: Uint8Array = srgbProfile();

function srgbProfile(): Uint8Array {
  const header = Buffer.alloc(128);
  header.set([2, 0x10], 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  header.set(fixed([0.9642, 1, 0.8249]), 68);
  const entries = Object.entries(TAGS);
  let at = header.length + 4 + entries.length * 12;
  const table = entries.map(([tag, value]) => {
    at += value.length;
    return Buffer.concat([ascii(tag), packed([4, at - value.length], [4, value.length])]);
  });
  const values = entries.map(([, value]) => value);
  return compactProfile(Buffer.concat([header, packed([4, entries.length]), ...table, ...values]));
}
