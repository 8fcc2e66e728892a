/** Tests the words, their positions and the appearance of the searchable PDF, as read by poppler and qpdf. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { someOf } from '../../../../test/support/matrix.ts';
import { pyramid } from '../image/test-images.ts';
import { run, runOperation } from '../test-operation.ts';
import {
  A4,
  ASIAN_LINES,
  asianPage,
  drawn,
  emptyFolder,
  folder,
  LINES,
  page,
  words,
} from './test-drawn.ts';
import { middles, near, type Seen } from './test-words.ts';

afterAll(emptyFolder);

const written = (name: string, bytes: Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

async function searchable(bytes: Uint8Array, language = 'eng') {
  const file = { name: 'scan', bytes };
  const ran = await runOperation('extract_text_ocr', { language, output: 'pdf' }, file);
  const path = written('searchable.pdf', ran.bytes);
  expect(ran.contentType).toBe('application/pdf');
  expect(run('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
  return { path, ...ran, text: words(run('pdftotext', '-raw', path, '-')) };
}

const png = drawn('pnggray', page(...LINES));

const scanned = async () => {
  const image = { name: 'a.png', bytes: drawn('pnggray', page(...LINES), A4) };
  return (await runOperation('images_to_pdf', { pageSize: 'a4', margin: 0 }, image)).bytes;
};

describe('extract_text_ocr with output pdf', () => {
  it('returns a page sized by the density of the image, with words at their displayed positions', async () => {
    const { path, text, meta } = await searchable(png);
    expect(text).toBe(LINES.join(' '));
    expect(meta).toEqual({ pages: 1, warnings: [] });
    const shown = middles(written('shown.pdf', drawn('pdfwrite', page(...LINES))));
    expect(middles(path)).toEqual(
      shown.map(({ text, x, y }) => ({ text, x: near(x), y: near(y) })),
    );
  });

  it('reads no smaller copies of a TIFF page', async () => {
    const tiff = await pyramid(sharp(png));
    const { text, meta } = await searchable(tiff);
    expect(text).toBe(LINES.join(' '));
    expect(meta.pages).toBe(1);
  });

  it.each(someOf([90, 180, 270], 2))(
    'respects the rotation of %i degrees and the crop box of a PDF page, in a small file',
    async (angle) => {
      const whole = drawn('pdfwrite', page(...LINES), A4);
      const scan = await scanned();
      const [turned, shown] = [scan, whole].map((bytes, index) => {
        const upright = written(`upright-${index}.pdf`, bytes);
        const path = join(folder, `turned-${index}.pdf`);
        run('qpdf', '--qdf', '--object-streams=disable', `--rotate=${angle}`, upright, path);
        const cropped = readFileSync(path, 'latin1').replace(
          '/MediaBox',
          '/CropBox [40 400 590 830] /MediaBox',
        );
        const mended = join(folder, `cropped-${index}.pdf`);
        run(
          'qpdf',
          '--warning-exit-0',
          written(`cut-${index}.pdf`, Buffer.from(cropped, 'latin1')),
          mended,
        );
        return mended;
      }) as [string, string];
      const { path, text, bytes } = await searchable(readFileSync(turned));
      expect(bytes.length).toBeLessThan(scan.length * 1.1);
      expect(words(text).split(' ').sort()).toEqual(LINES.join(' ').split(' ').sort());
      const byText = (left: Seen, right: Seen) => (left.text < right.text ? -1 : 1);
      expect(middles(path).sort(byText)).toEqual(
        middles(shown)
          .sort(byText)
          .map(({ text, x, y }) => ({ text, x: near(x), y: near(y) })),
      );
    },
  );

  it('places words on slanted lines, and applies the EXIF orientation', async () => {
    const upright = drawn('pnggray', page(...LINES), A4);
    const slanted = await sharp(upright).rotate(7, { background: 'white' }).png().toBuffer();
    const { text, path } = await searchable(slanted);
    expect(text.split(' ').sort()).toEqual(LINES.join(' ').split(' ').sort());
    const found = middles(path);
    const [first, last] = ['Every', 'printed'].map((word) =>
      found.find(({ text }) => text === word),
    ) as [Seen, Seen];
    const slope = (last.y - first.y) / (last.x - first.x);
    expect(slope).toBeCloseTo(Math.tan((7 * Math.PI) / 180), 2);
    const turned = sharp(png).rotate(90).withMetadata({ orientation: 8 });
    expect((await searchable(await turned.jpeg().toBuffer())).text).toBe(LINES.join(' '));
  });

  it.each(Object.entries(ASIAN_LINES))('adds no spaces to %s', async (language, line) => {
    const bytes = asianPage(language as keyof typeof ASIAN_LINES);
    expect((await searchable(bytes, language)).text).toBe(line);
  });

  it('writes Arabic from right to left, with its numbers from left to right', async () => {
    const lines = ['مرحبا بالعالم العربي', 'العالم العربي 123'];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="160" font-family="DejaVu Sans"
      font-size="30">${lines.map((line, index) => `<text x="9" y="${50 + index * 60}">${line}</text>`).join('')}</svg>`;
    const { text } = await searchable(Buffer.from(svg), 'ara');
    expect(text.replace(/[\u202a-\u202e\u200e\u200f]/g, '')).toBe(lines.join(' '));
  });

  it('adds text only to the pages of a PDF that lack it', async () => {
    const parts = [drawn('pdfwrite', page('A page with text stays')), await scanned()];
    const files = parts.map((bytes, index) => ({ name: `${index}.pdf`, bytes }));
    const mixed = (await runOperation('merge_pdf', {}, files)).bytes;
    const { text, meta } = await searchable(mixed);
    expect(text).toBe(`A page with text stays ${LINES.join(' ')}`);
    expect(meta).toEqual({
      pages: 2,
      warnings: ['Pages that already had text were left unchanged: 1 of 2.'],
    });
  });
});
