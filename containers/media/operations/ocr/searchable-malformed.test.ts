/** Tests the searchable PDF that is made from a file that qpdf can read but our reader rejects. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { file, simple } from '../pdf/test-hostile-files.ts';
import { run, runOperation } from '../test-operation.ts';
import { drawn, emptyFolder, folder, LINES, page, SIZE } from './test-drawn.ts';
import { middles, near } from './test-words.ts';

afterAll(emptyFolder);

/** An array that is nested more deeply than our reader accepts. */
const DEEP = '['.repeat(150) + ']'.repeat(150);
const TEXT = 'BT /F 12 Tf 9 50 Td (A page with text) Tj ET';
const [WIDTH, HEIGHT] = SIZE;

const written = (name: string, bytes: Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

const stream = (entries: string, content: string) =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;

/**
 * Makes a PDF of two pages. The first one shows a scan rotated by `angle`, and its page box does not start at zero. The
 * second one contains text.
 */
async function malformedScan(angle: number): Promise<Buffer> {
  const shown = sharp(drawn('jpeggray', page(...LINES)))
    .rotate(-angle)
    .toColorspace('b-w')
    .jpeg();
  const { data, info } = await shown.toBuffer({ resolveWithObject: true });
  const [width, height] = angle % 180 === 0 ? [WIDTH, HEIGHT] : [HEIGHT, WIDTH];
  const box = `/MediaBox[30 20 ${30 + width} ${20 + height}]`;
  const image = `/Type/XObject/Subtype/Image/Width ${info.width}/Height ${info.height}`;
  const pixels = '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode';
  const objects = simple({
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    3: `<</Type/Page/Parent 2 0 R/Rotate ${angle}${box}/Contents 5 0 R/Resources<</XObject<</I 6 0 R>>>>/PieceInfo<</A<</Private ${DEEP}>>>>>>`,
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 99]/Contents 7 0 R/Resources<</Font<</F 8 0 R>>>>>>',
    5: stream('', `q ${width} 0 0 ${height} 30 20 cm /I Do Q`),
    6: stream(image + pixels, data.toString('latin1')),
    7: stream('', TEXT),
    8: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  });
  return file(objects);
}

it.each([0, 90, 270])(
  'qpdf places the text under a scan rotated by %i degrees where the scan shows it',
  async (angle) => {
    const bytes = await malformedScan(angle);
    const params = { language: 'eng', output: 'pdf' };
    const ran = await runOperation('extract_text_ocr', params, { name: 'scan.pdf', bytes });
    expect(ran.meta).toEqual({
      pages: 2,
      warnings: ['Pages that already had text were left unchanged: 1 of 2.'],
    });
    const made = written('made.pdf', ran.bytes);
    expect(run('qpdf', '--check', made)).toContain('No syntax or stream encoding errors');
    const sources = [drawn('pdfwrite', page(...LINES)), bytes];
    const shown = sources.flatMap((source) => middles(written('shown.pdf', source)));
    expect(middles(made)).toEqual(
      shown.map(({ text, x, y }) => ({ text, x: near(x), y: near(y) })),
    );
    const looks = [written('given.pdf', bytes), made].map((path) =>
      run('pdftoppm', '-r', '30', '-gray', path),
    );
    expect(looks[0]).toMatch(/^P5/);
    expect(looks[1] === looks[0]).toBe(true);
  },
);
