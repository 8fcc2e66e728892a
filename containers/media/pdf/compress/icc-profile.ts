/** Reduces ICC profiles to the data needed to display the colors of a page (ICC.1, sections 7 to 10). */
import { packed, viewOf } from '../fonts/bytes-view.ts';

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const MAX_TAGS = 100;
const CLASS_AT = 12;
const PROFILE_ID = { from: 84, to: 100 };
/** The number of bytes that precede a curve's samples. */
const CURVE_HEAD = 12;
const CURVE_SIZES = [32, 64, 128, 256, 512];
/** The maximum change in an 8-bit color value that a shorter curve may cause. */
const CURVE_TOLERANCE = 0.25;
/**
 * The tags that every profile must have, and those needed to convert colors, either by matrices and curves or by
 * tables. Other tags describe devices or printing.
 */
const NEEDED = [
  ...['desc', 'cprt', 'wtpt', 'chad', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC', 'kTRC'],
  ...['A2B0', 'A2B1', 'A2B2', 'D2B0', 'D2B1', 'D2B2', 'D2B3'],
];

/** Returns the color space of a profile, such as `RGB `, or undefined if the data is not a profile. */
export function profileSpace(data: Uint8Array): string | undefined {
  const isProfile = data.length > HEADER_BYTES + 4 && text(data, 36) === 'acsp';
  return isProfile ? text(data, 16) : undefined;
}

/** Whether the profile converts colors with tables, as printer profiles do. */
export const hasTables = (data: Uint8Array): boolean => tagsOf(data).has('A2B0');

/**
 * Returns a smaller profile that converts colors to almost the same values. A printer profile is changed to an input
 * profile, which is sufficient for page content. Throws RangeError if the profile is damaged.
 */
export function compactProfile(data: Uint8Array): Uint8Array {
  const tags = tagsOf(data);
  const needed = new Map([...tags].filter(([tag]) => NEEDED.includes(tag)));
  for (const [tag, value] of needed) if (tag.endsWith('TRC')) needed.set(tag, shortCurve(value));
  const header = Buffer.from(data.subarray(0, HEADER_BYTES));
  // Without the tables for printing, the profile must be an input profile (ICC.1, section 8.3).
  if (tags.has('B2A0')) header.write('scnr', CLASS_AT);
  return withTags(header, needed);
}

function tagsOf(data: Uint8Array): Map<string, Uint8Array> {
  const view = viewOf(data);
  const count = view.getUint32(HEADER_BYTES);
  if (count > MAX_TAGS) throw new RangeError('a profile has too many tags');
  const tags = new Map<string, Uint8Array>();
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + 4 + index * TAG_BYTES;
    const tag = text(data, at);
    const [start, length] = [view.getUint32(at + 4), view.getUint32(at + 8)];
    if (start + length > data.length) throw new RangeError('a profile tag is cut off');
    tags.set(tag, data.subarray(start, start + length));
  }
  return tags;
}

const text = (data: Uint8Array, at: number) => String.fromCharCode(...data.subarray(at, at + 4));

/** Writes a profile with these tags. Tags with equal data share one copy. */
function withTags(header: Buffer, tags: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const values: Uint8Array[] = [];
  const starts = new Map<string, number>();
  const entries: number[][] = [];
  let at = HEADER_BYTES + 4 + tags.size * TAG_BYTES;
  for (const [tag, value] of tags) {
    const key = Buffer.from(value).toString('latin1');
    const known = starts.get(key);
    entries.push([Buffer.from(tag).readUInt32BE(), known ?? at, value.length]);
    if (known !== undefined) continue;
    starts.set(key, at);
    const padded = Math.ceil(value.length / 4) * 4;
    values.push(value, new Uint8Array(padded - value.length));
    at += padded;
  }
  header.writeUInt32BE(at, 0);
  header.fill(0, PROFILE_ID.from, PROFILE_ID.to);
  const table = [tags.size, ...entries.flat()].map((value) => [4, value] as const);
  return Buffer.concat([header, packed(...table), ...values]);
}

/** Reduces a sampled curve to the smallest number of samples within the tolerance. Returns other curves unchanged. */
function shortCurve(curve: Uint8Array): Uint8Array {
  const view = viewOf(curve);
  const count = text(curve, 0) === 'curv' ? view.getUint32(8) : 0;
  const samples = Array.from({ length: count <= 1 ? 0 : count }, (_, index) =>
    view.getUint16(CURVE_HEAD + index * 2),
  );
  for (const size of CURVE_SIZES) {
    if (size >= samples.length) break;
    const short = Array.from({ length: size }, (_, index) =>
      Math.round(valueAt(samples, index / (size - 1))),
    );
    if (!isAlike(samples, short)) continue;
    const result = Buffer.alloc(CURVE_HEAD + size * 2);
    result.set(curve.subarray(0, 8));
    result.writeUInt32BE(size, 8);
    for (const [index, value] of short.entries()) {
      result.writeUInt16BE(value, CURVE_HEAD + index * 2);
    }
    return result;
  }
  return curve;
}

/** Interpolates linearly between samples. `at` is from 0 to 1. */
function valueAt(samples: readonly number[], at: number): number {
  const position = at * (samples.length - 1);
  const index = Math.min(Math.floor(position), samples.length - 2);
  const [low, high] = [samples[index]!, samples[index + 1]!];
  return low + (high - low) * (position - index);
}

const isAlike = (curve: readonly number[], other: readonly number[]) =>
  Array.from({ length: 256 }, (_, value) => value / 255).every(
    (at) => Math.abs(shown(valueAt(curve, at)) - shown(valueAt(other, at))) <= CURVE_TOLERANCE,
  );

/** Converts a linear 16-bit sample to an sRGB value from 0 to 255 (IEC 61966-2-1). */
function shown(sample: number): number {
  const light = sample / 65_535;
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
}
