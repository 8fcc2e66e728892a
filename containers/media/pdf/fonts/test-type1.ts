/** Makes a small Type 1 font for tests. Tests may change its parts before they are encrypted. */

/** Encrypts eexec data and charstrings (section 7.1 of the Type 1 format). */
function encrypted(plain: readonly number[], key: number): Buffer {
  let state = key;
  return Buffer.from(
    [0, 0, 0, 0, ...plain].map((byte) => {
      const cipher = byte ^ (state >> 8);
      state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
      return cipher;
    }),
  );
}

const number = (value: number) => [
  255,
  (value >> 24) & 255,
  (value >> 16) & 255,
  (value >> 8) & 255,
  value & 255,
];
/**
 * Returns a charstring with the operators hsbw (sidebearing 40 and this width), a stem, a move, a line, a curve from a
 * subroutine, closepath, and endchar.
 */
const letter = (width: number) => [
  ...[...number(40), ...number(width), 13],
  ...[...number(0), ...number(30), 1],
  ...[...number(10), ...number(-250), 21],
  ...[...number(100), 6],
  ...[...number(0), 10, 9, 14],
];
const CURVE = [...[0, 10, 20, 30, 40, 50].flatMap(number), 8, 11];

const entry = (head: string, code: readonly number[], tail: string) => {
  const data = encrypted(code, 4330);
  return [Buffer.from(`${head} ${data.length} RD `), data, Buffer.from(` ${tail}\n`)];
};

export const TYPE1_CLEAR =
  '%!PS-AdobeFont-1.0: Test\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n' +
  '/FontBBox {-40 -250 1009 750} readonly def\n/Encoding 256 array\n' +
  'dup 65 /A put\ndup 66 /omega put\ndup 200 /A put\nreadonly def\ncurrentfile eexec\n';

/** Returns the private part with the charstrings of `glyphs`, before encryption. */
export const privatePart = (glyphs: Record<string, readonly number[]>, curve = CURVE): Buffer =>
  Buffer.concat([
    Buffer.from('dup /Private 8 dict dup begin /BlueValues [-12 0 444 453] def /Subrs 1 array\n'),
    ...entry('dup 0', curve, 'NP'),
    Buffer.from('ND 2 index /CharStrings 4 dict dup begin\n'),
    ...Object.entries(glyphs).flatMap(([name, code]) => entry(`/${name}`, code, 'ND')),
    Buffer.from('end end'),
  ]);

export const LETTER: readonly number[] = letter(700);

export const TYPE1_PRIVATE: Buffer = privatePart({
  '.notdef': [...number(0), ...number(250), 13, 14],
  A: LETTER,
  omega: letter(600),
  unused: letter(500),
});

/** Returns the font file for a clear part, which ends with `eexec`, and a private part. */
export const type1Font = (clear: string, secret: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(clear), encrypted([...secret], 55_665), Buffer.alloc(32)]);
