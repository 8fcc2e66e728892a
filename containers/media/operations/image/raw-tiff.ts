/** Writes pixels as an uncompressed TIFF (TIFF 6.0), which is the simplest format that can contain a color profile. */

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

interface Entry {
  tag: number;
  type: number;
  values: number[];
}

/** @param pixels 8-bit RGB or RGBA, not premultiplied, top row first */
export function rawTiff(
  pixels: Uint8Array,
  width: number,
  height: number,
  channels: 3 | 4,
  profile: Uint8Array | undefined,
): Buffer<ArrayBuffer> {
  const entries: Entry[] = [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: Array(channels).fill(8) },
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [2] },
    { tag: 273, type: LONG, values: [0] },
    { tag: 277, type: SHORT, values: [channels] },
    { tag: 278, type: LONG, values: [height] },
    { tag: 279, type: LONG, values: [pixels.length] },
    // The ExtraSamples tag declares that the fourth channel is alpha.
    ...(channels === 4 ? [{ tag: 338, type: SHORT, values: [2] }] : []),
  ];
  const count = entries.length + (profile ? 1 : 0);
  const bitsAt = 8 + 2 + count * 12 + 4;
  const profileAt = bitsAt + 8;
  const pixelsAt = profileAt + ((profile?.length ?? 0) + 1) - (((profile?.length ?? 0) + 1) % 2);
  const header = Buffer.alloc(pixelsAt);
  header.write('II*\0', 'latin1');
  header.writeUInt32LE(8, 4);
  header.writeUInt16LE(count, 8);
  let at = 10;
  const entry = (tag: number, type: number, length: number, value: number) => {
    header.writeUInt16LE(tag, at);
    header.writeUInt16LE(type, at + 2);
    header.writeUInt32LE(length, at + 4);
    header.writeUInt32LE(value, at + 8);
    at += 12;
  };
  for (const { tag, type, values } of entries) {
    const inline = tag === 273 ? pixelsAt : (values[0] ?? 0);
    entry(tag, type, values.length, values.length > 1 ? bitsAt : inline);
  }
  for (let index = 0; index < 4; index += 1) header.writeUInt16LE(8, bitsAt + index * 2);
  if (profile) {
    entry(34675, UNDEFINED, profile.length, profileAt);
    header.set(profile, profileAt);
  }
  return Buffer.concat([header, pixels]);
}
