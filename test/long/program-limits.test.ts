/**
 * Runs every operation with an input that makes its program loop or run for a very long time. The response must name
 * the limit, the program must have exited, and its CPU time must be within the limit for this input size.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { type Call, withCall } from '../../containers/media/current-call.ts';
import {
  file,
  type Objects,
  PAGE,
  simple,
} from '../../containers/media/operations/pdf/test-hostile-files.ts';
import {
  programsLeft,
  run,
  runOperation,
} from '../../containers/media/operations/test-operation.ts';
import { runProgram } from '../../containers/media/run-program.ts';
import { WorkLimit } from '../../containers/media/work-limit.ts';

const folder = mkdtempSync(join(tmpdir(), 'program-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The time limit in milliseconds. It only guards against hangs. On a busy machine, a program may reach its elapsed-time
 * limit before its CPU limit.
 */
const TIMEOUT_MS = 600_000;

/** Runs an operation. Returns its response and the CPU seconds that it used. */
async function limited(name: string, params: Record<string, unknown>, files: Uint8Array[]) {
  const call: Call = { caller: undefined, cpuSeconds: 0 };
  const given = files.map((bytes, index) => ({ name: `hostile-${index}`, bytes }));
  const answer = await withCall(call, () => runOperation(name, params, given)).catch(
    (error: unknown) => error,
  );
  await expect.poll(programsLeft).toEqual([]);
  return { answer, cpuSeconds: call.cpuSeconds };
}

/** Makes a form of unnamed fields. Each of the 31 fields refers to the next one twice, so there are 2^30 paths. */
function sharedFields(): Uint8Array {
  const levels = 30;
  const fields: Objects = {};
  for (let level = 0; level < levels; level += 1) {
    const parent = level > 0 ? `/Parent ${9 + level} 0 R` : '/T(a)';
    const next = `${11 + level} 0 R`;
    fields[10 + level] = `<</FT/Tx${parent}/Kids[${next} ${next}]>>`;
  }
  fields[10 + levels] = `<</FT/Tx/Parent ${9 + levels} 0 R/Subtype/Widget/Rect[0 0 9 9]>>`;
  return file(simple(fields, '/AcroForm<</Fields[10 0 R]>>'));
}

/** Makes a page filled with a pattern whose tiles are 0.0001 points apart. */
function denseTiles(): Uint8Array {
  const tile = '0 0 1 1 re f';
  const pattern =
    '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep .0001/YStep .0001/Resources<<>>';
  const fill = '/Pattern cs /P1 scn 0 0 612 792 re f';
  return file({
    ...simple({}),
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Pattern<</P1 5 0 R>>>>>>',
    4: `<</Length ${fill.length}>>\nstream\n${fill}\nendstream`,
    5: `<<${pattern}/Length ${tile.length}>>\nstream\n${tile}\nendstream`,
  });
}

/** Makes a page of nested form XObjects. Each one draws the next one twice, so 2^40 rectangles are drawn. */
function sharedForms(): Uint8Array {
  const levels = 40;
  const forms: Objects = {};
  const form = (name: string, content: string) =>
    `<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</F ${name}>>>>/Length ${content.length}>>\nstream\n${content}\nendstream`;
  for (let level = 0; level < levels; level += 1) {
    forms[10 + level] = form(`${11 + level} 0 R`, '/F Do /F Do');
  }
  forms[10 + levels] = form('10 0 R', '0 0 9 9 re f');
  const content = '/F Do';
  return file({
    ...simple({
      ...forms,
      4: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    }),
    3: PAGE.replace('>>', '/Contents 4 0 R/Resources<</XObject<</F 10 0 R>>>>>>'),
  });
}

/** Makes a page with a content stream of 40 kB. Two decompression steps expand it to 20 gigabytes of operators. */
function inflatingContent(): Uint8Array {
  const piece = deflateSync(Buffer.alloc(20 * 1024 * 1024, 'q Q '), { level: 9 });
  const twice = deflateSync(Buffer.concat(Array(1000).fill(piece)), { level: 9 });
  const packed = twice.toString('latin1');
  const entries = `/Filter[/FlateDecode/FlateDecode]/Length ${twice.length}`;
  return file({
    ...simple({ 4: `<<${entries}>>\nstream\n${packed}\nendstream` }),
    3: PAGE.replace('>>', '/Contents 4 0 R>>'),
  });
}

/** Makes a page tree that lists one page 150,000 times. qpdf repairs it by comparing each entry with all others. */
const repeatedPage = () => {
  const kids = '3 0 R '.repeat(150_000);
  return file({ ...simple(), 2: `<</Type/Pages/Count 150000/Kids[${kids}]>>` });
};

/** Makes an SVG with many blurs, each applied to the result of another. */
function blurs(): Uint8Array {
  const filter = `<filter id="f" x="-1" y="-1" width="3" height="3">${'<feGaussianBlur stdDeviation="90"/>'.repeat(60)}</filter>`;
  const shapes = '<rect width="800" height="800" filter="url(#f)"/>'.repeat(40);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800">${filter}${shapes}</svg>`,
  );
}

/** Makes a 2-megapixel image with specks the size of printed letters. */
async function specks(): Promise<Uint8Array> {
  const [width, height] = [1400, 1400];
  const raw = Buffer.alloc(width * height, 255);
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  for (let y = 0; y + 12 < height; y += 12) {
    for (let x = 0; x + 8 < width; x += 8) {
      for (let speck = 0; speck < 22; speck += 1) raw[(y + next(9)) * width + x + next(6)] = 0;
    }
  }
  return sharp(raw, { raw: { width, height, channels: 1 } })
    .png({ palette: true })
    .toBuffer();
}

const IMAGE = { quality: 0.8, format: 'webp', keepAspectRatio: false, grayscale: false };
const IMAGE_SECONDS = 11;

describe('an input that makes a program loop', () => {
  it.each([
    ['parse_document', {}, sharedFields, /^"hostile-0" has no text/],
    [
      'extract_text_ocr',
      { language: 'eng' },
      sharedFields,
      /^pdfinfo did not finish .* (10 CPU|40) seconds/,
    ],
    [
      'extract_text_ocr',
      { language: 'eng' },
      denseTiles,
      /^Page 1 of "hostile-0" takes too long to render/,
    ],
    ['split_pdf', { ranges: [[[1, 1]]] }, repeatedPage, /takes too long to repair/],
    ['merge_pdf', {}, repeatedPage, /takes too long to repair/],
    ['images_to_pdf', { pageSize: 'fit', margin: 0 }, repeatedPage, /takes too long to repair/],
    ['compress_image', IMAGE, blurs, /exceeded the time limit of (14 CPU|5\d) seconds/],
    ['split_image', { rows: 2, cols: 2 }, blurs, /exceeded the time limit of (12 CPU|4\d) seconds/],
    [
      'images_to_pdf',
      { pageSize: 'fit', margin: 0 },
      blurs,
      /exceeded the time limit of (12 CPU|4\d) seconds/,
    ],
  ])(
    '%s ends within its CPU limit %#',
    { timeout: TIMEOUT_MS },
    async (name, params, make, message) => {
      const bytes = make();
      expect(bytes.length).toBeLessThan(2 ** 20);
      const files = name === 'merge_pdf' ? [bytes, bytes] : [bytes];
      const { answer, cpuSeconds } = await limited(name, params, files);
      expect(answer).toMatchObject({ status: 422, message: expect.stringMatching(message) });
      // The call runs two programs. Each can exceed its limit for up to a second before the service detects it.
      expect(cpuSeconds).toBeLessThan(2 * IMAGE_SECONDS + 4);
    },
  );

  it.each([
    ['form fields', sharedFields],
    ['forms', sharedForms],
    ['a content stream of gigabytes', inflatingContent],
  ])('compress_pdf returns the file unchanged: %s', { timeout: TIMEOUT_MS }, async (_, make) => {
    const { answer, cpuSeconds } = await limited('compress_pdf', {}, [make()]);
    expect(answer).toMatchObject({ meta: { unchanged: expect.any(String) } });
    // All programs together may use at most four times the CPU limit of a single program.
    expect(cpuSeconds).toBeLessThan(4 * 11 + 4);
  });

  it('extract_text_ocr of specks stops at the limit for a page', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { answer, cpuSeconds } = await limited('extract_text_ocr', { language: 'eng' }, [
      await specks(),
    ]);
    // The service runs OCR on the page at most four times, each time within its limit. It ignores attempts that fail.
    if (answer instanceof Error) expect(answer).toMatchObject({ status: 422 });
    expect(cpuSeconds).toBeLessThan(4 * 15);
  });

  it('parse_document reads a content stream of gigabytes within its limit', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { answer, cpuSeconds } = await limited('parse_document', {}, [inflatingContent()]);
    expect(answer).toMatchObject({ status: 422 });
    expect(cpuSeconds).toBeLessThan(2 * IMAGE_SECONDS + 4);
  });

  it('ffmpeg stops at its CPU seconds, although it handles the signal', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const call: Call = { caller: undefined, cpuSeconds: 0 };
    const path = join(folder, 'endless.mkv');
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=60'];
    const encoder = ['-c:v', 'libx264', '-preset', 'slow', path];
    const running = withCall(call, () =>
      runProgram('ffmpeg', ['-nostdin', '-v', 'error', ...source, ...encoder], {
        signal: new AbortController().signal,
        cwd: folder,
        ...new WorkLimit(0).within({ seconds: 240 }),
      }),
    );
    await expect(running).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/^ffmpeg did not finish .* (10 CPU|40) seconds/),
    });
    expect(call.cpuSeconds).toBeLessThan(13);
  });

  it('the limit for a video depends on its actual frames, not on those that its header claims', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const path = join(folder, 'claims.mp4');
    run('ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=10:d=3', path);
    const bytes = readFileSync(path);
    // The headers claim that the movie and its track are far longer than three seconds.
    for (const [atom, offset] of [
      ['mvhd', 20],
      ['tkhd', 24],
      ['mdhd', 20],
    ] as const) {
      bytes.writeUInt32BE(0x7fffffff, bytes.indexOf(atom) + offset);
    }
    const settings = { preset: 'fast', scale: '-1:64', crf: 30, audioBitrate: null };
    const codecs = { format: 'mp4', videoCodec: 'h264', audioCodec: null };
    const { answer, cpuSeconds } = await limited('compress_video', { ...settings, ...codecs }, [
      bytes,
    ]);
    expect(answer).not.toBeInstanceOf(Error);
    expect(cpuSeconds).toBeLessThan(10);
  });

  it.each([
    ['an animation of 20,000 frames', () => manyFrames(20_000)],
    ['a GIF of ten thousand megapixels', () => hugeGif()],
    ['a TIFF with cyclic directories', () => circularTiff()],
  ])('compress_image finishes within its limit: %s', { timeout: TIMEOUT_MS }, async (_, make) => {
    const { answer, cpuSeconds } = await limited('compress_image', IMAGE, [make()]);
    if (answer instanceof Error) expect((answer as { status?: number }).status).toBeLessThan(500);
    expect(cpuSeconds).toBeLessThan(IMAGE_SECONDS + 4);
  });
});

/** Makes a GIF with frames of one pixel. */
function manyFrames(count: number): Uint8Array {
  const head = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1');
  const frame = Buffer.from(
    '\x21\xf9\x04\x00\x01\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00',
    'latin1',
  );
  return Buffer.concat([head, ...Array(count).fill(frame), Buffer.from(';')]);
}

const hugeGif = () => {
  const bytes = Buffer.from(manyFrames(100));
  bytes.writeUInt16LE(65_535, 6);
  bytes.writeUInt16LE(65_535, 8);
  return bytes;
};

/** Makes a TIFF directory that points to itself as the next directory (TIFF 6.0, section 2). */
function circularTiff(): Uint8Array {
  const entries = [
    [256, 3, 1, 1],
    [257, 3, 1, 1],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 3, 1, 1],
    [279, 4, 1, 1],
  ];
  const bytes = Buffer.alloc(16 + 2 + entries.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(16, 4);
  bytes.writeUInt16LE(entries.length, 16);
  for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
    const at = 18 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  bytes.writeUInt32LE(16, 18 + entries.length * 12);
  return bytes;
}
