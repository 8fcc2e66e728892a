/** Tests OCR on pages that Ghostscript renders, and on inputs that the programs are known to handle badly. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { someOf } from '../../../../test/support/matrix.ts';
import { programsLeft, run, runOperation } from '../test-operation.ts';
import {
  A4,
  ASIAN_LINES,
  asianPage,
  drawn,
  emptyFolder,
  folder,
  LINES,
  page,
  SIZE,
  words,
} from './test-drawn.ts';

afterAll(emptyFolder);

const png = drawn('png16m', page(...LINES));
/** The size of a page with one line of text, in points. */
const LINE = [384, 192] as const;
const short = drawn('png16m', page('Hello world'), LINE);

async function read(bytes: Uint8Array, name = 'a.png', language = 'eng') {
  const { bytes: body, ...rest } = await runOperation(
    'extract_text_ocr',
    { language },
    { name, bytes },
  );
  // Images must be deleted, because those of a long document would occupy gigabytes.
  const images = rest.left.filter((file) => !/^input-0$|\.(txt|tsv)$/.test(file));
  expect(images).toEqual([]);
  return { ...JSON.parse(body.toString()), ...rest };
}

describe('extract_text_ocr', () => {
  it('returns the text, the language and a confidence from 0 to 1', async () => {
    const { text, language, confidence } = await read(png);
    expect(words(text)).toBe(LINES.join(' '));
    expect(language).toBe('eng');
    expect(confidence).toBeGreaterThan(0.8);
    expect(confidence).toBeLessThanOrEqual(1);
  });

  it.each(someOf([90, 180, 270], 2))('reads a page rotated by %i degrees', async (angle) => {
    const { text } = await read(await sharp(png).rotate(angle).png().toBuffer());
    expect(words(text)).toBe(LINES.join(' '));
  });

  it.each(someOf([0, 90, 180, 270], 2))(
    'keeps the rows of a table rotated by %i degrees',
    async (angle) => {
      const rows = [
        ['Item', 'Amount', 'Price'],
        ['Blue widget', '3', '41.70'],
        ['Green gadget', '12', '108.00'],
      ];
      const cells = rows.flatMap((row, line) =>
        row.map((cell, at) => `<text x="${80 + at * 420}" y="${160 + line * 70}">${cell}</text>`),
      );
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1300" height="700" font-family="DejaVu Sans"
      font-size="36"><rect width="1300" height="700" fill="white"/>${cells.join('')}
      <text x="80" y="500">The total is payable within thirty days</text></svg>`;
      const bytes = await sharp(Buffer.from(svg)).rotate(angle).png().toBuffer();
      const { text } = await read(bytes);
      for (const row of rows) expect(text.split('\n')).toContain(row.join(' '));
    },
  );

  it.each(
    someOf(
      [
        [270, 'an image'],
        [180, 'an image'],
        [180, 'a PDF'],
        [90, 'a PDF'],
        [270, 'a PDF'],
        [90, 'an image'],
      ] as const,
      3,
    ),
  )('reads a single line rotated by %i degrees in %s', async (angle, kind) => {
    if (kind === 'an image') {
      const turned = await sharp(short).rotate(angle).png().toBuffer();
      expect((await read(turned)).text).toContain('Hello world');
      return;
    }
    const document = join(folder, 'turned.pdf');
    const upright = join(folder, 'upright.pdf');
    writeFileSync(upright, drawn('pdfwrite', page('Hello world'), LINE));
    run('qpdf', upright, document, `--rotate=${angle}`);
    expect(await read(readFileSync(document))).toMatchObject({
      text: 'Hello world',
      confidence: expect.closeTo(1, 0),
    });
  });

  it('applies the EXIF orientation, even with too little text to detect one', async () => {
    const bytes = await sharp(short).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    expect((await read(bytes)).text).toContain('Hello world');
  });

  it('returns an empty text with low confidence for a blank page', async () => {
    const blank = drawn('pnggray', 'showpage', LINE);
    expect(await read(blank)).toMatchObject({ text: '', confidence: 0 });
  });

  it('finds no words in the noise of a blank page, and finds one word in noise', async () => {
    const noisy = (content: string) => {
      const noise = { type: 'gaussian', mean: 240, sigma: 14 } as const;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200" font-family="DejaVu Sans" font-size="30">${content}</svg>`;
      return sharp({ create: { width: 900, height: 1200, channels: 3, background: '#fff', noise } })
        .composite([{ input: Buffer.from(svg) }])
        .jpeg({ quality: 35 })
        .toBuffer();
    };
    const blank = await read(await noisy(''), 'a.jpg');
    expect(blank).toMatchObject({ text: '', confidence: 0 });
    expect(blank.meta.warnings).toEqual([]);
    const word = '<text x="600" y="1100">Confidential</text>';
    expect((await read(await noisy(word), 'a.jpg')).text).toBe('Confidential');
    const dot = await sharp({
      create: { width: 1, height: 1, channels: 3, background: 'white' },
    })
      .png()
      .toBuffer();
    expect(await read(dot)).toMatchObject({ text: '', confidence: 0 });
  });

  it.each(someOf(['webp', 'gif', 'avif', 'tiff', 'jpeg'] as const, 2))(
    'reads %s files',
    async (format) => {
      const bytes = await sharp(short).toFormat(format).toBuffer();
      expect((await read(bytes)).text).toContain('Hello world');
    },
  );

  it('reads a JPEG with a PDF signature in a comment', async () => {
    const jpeg = await sharp(short).jpeg().toBuffer();
    const comment = Buffer.from('\xff\xfe\x00\x0a%PDF-1.7', 'latin1');
    const bytes = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    expect((await read(bytes)).text).toContain('Hello world');
  });

  it('reads SVG, and images with transparency', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><text x="9" y="50"
      font-family="DejaVu Sans" font-size="32">Vector text</text></svg>`;
    expect((await read(Buffer.from(svg), 'a.svg')).text).toBe('Vector text');
    const clear = await sharp(Buffer.from(svg), { density: 300 }).webp().toBuffer();
    expect((await read(clear)).text).toBe('Vector text');
  });

  it('reads all pages of a TIFF or PDF, joined like parse_document, and reports its progress', async () => {
    const pages = page('Alpha is here') + page('Beta is here') + page('Gamma is here');
    for (const device of ['tiffg4', 'pdfwrite']) {
      const bytes = drawn(device, pages, LINE);
      const { text, progress, messages } = await read(bytes);
      expect(text.toLowerCase()).toBe(
        'alpha is here\n--- page 2 ---\nbeta is here\n--- page 3 ---\ngamma is here',
      );
      expect(progress).toEqual([1 / 3, 2 / 3, 1]);
      expect(messages).toEqual(['page 1 of 3', 'page 2 of 3', 'page 3 of 3']);
      if (device !== 'pdfwrite') continue;
      const file = { name: 'a.pdf', bytes };
      const parsed = await runOperation('parse_document', {}, file);
      expect(JSON.parse(parsed.bytes.toString()).text.toLowerCase()).toBe(text.toLowerCase());
    }
  });

  it.each([
    ['deu', 'Größe über Äpfel'],
    ['fra', 'Les élèves à Noël'],
    ['spa', 'El niño comió piñas'],
    ['ara', 'مرحبا بالعالم العربي'],
  ])('reads %s with its letters', async (language, line) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="80"><text x="9" y="50"
      font-family="DejaVu Sans" font-size="30">${line}</text></svg>`;
    expect((await read(Buffer.from(svg), 'a.svg', language)).text).toBe(line);
  });

  it.each(Object.entries(ASIAN_LINES))('reads text in %s', async (language, line) => {
    const bytes = asianPage(language as keyof typeof ASIAN_LINES);
    expect(words((await read(bytes, 'a.png', language)).text)).toBe(line);
  });

  it.each([3, 15])('reads lines slanted by %i degrees', async (angle) => {
    const lines = Array.from(
      { length: 6 },
      (_, index) => `<text x="80" y="${140 + index * 120}">The quick brown fox jumps</text>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" font-family="DejaVu Sans"
      font-size="56">${lines.join('')}</svg>`;
    const slanted = sharp(Buffer.from(svg)).flatten({ background: 'white' }).png();
    const bytes = await sharp(await slanted.toBuffer())
      .rotate(angle, { background: 'white' })
      .png()
      .toBuffer();
    const { text, confidence } = await read(bytes);
    expect(words(text)).toBe(lines.map(() => 'The quick brown fox jumps').join(' '));
    expect(confidence).toBeGreaterThan(0.8);
  });

  it('returns words with boxes in pixels of the original image, also for a rotated page', async () => {
    const slanted = await sharp(png).rotate(7, { background: 'white' }).png().toBuffer();
    const { width, height } = await sharp(slanted).metadata();
    const file = { name: 'a.png', bytes: slanted };
    const params = { languages: ['eng', 'deu'], output: 'words' };
    const { bytes } = await runOperation('extract_text_ocr', params, file);
    const { language, languages, pages } = JSON.parse(bytes.toString());
    expect({ language, languages }).toEqual({ language: 'eng', languages: ['eng', 'deu'] });
    expect(pages).toMatchObject([{ page: 1, unit: 'px', width, height }]);
    const found = pages[0].words as { text: string; x: number; y: number; height: number }[];
    expect(found.map(({ text }) => text).join(' ')).toBe(LINES.join(' '));
    // If a line slants clockwise, it ends lower than it begins.
    const [first, last] = [found[0]!, found[LINES[0]!.split(' ').length - 1]!];
    const slope = (last.y - first.y) / (last.x - first.x);
    expect(slope).toBeCloseTo(Math.tan((7 * Math.PI) / 180), 1);
  });

  it('returns the boxes of a PDF page in points', async () => {
    const file = { name: 'a.pdf', bytes: drawn('pdfwrite', page('Hello world')) };
    const { bytes } = await runOperation(
      'extract_text_ocr',
      { language: 'eng', output: 'words' },
      file,
    );
    const [first] = JSON.parse(bytes.toString()).pages;
    expect(first).toMatchObject({
      unit: 'pt',
      width: expect.closeTo(SIZE[0], 0),
      height: expect.closeTo(SIZE[1], 0),
    });
    expect(first.words[0]).toMatchObject({ text: 'Hello', x: expect.closeTo(72, -1) });
  });

  it('renders a page too large for 300 dpi at a lower resolution, with a warning', async () => {
    const bytes = drawn(
      'pdfwrite',
      '<</PageSize [5000 5000]>> setpagedevice /Helvetica 80 selectfont 500 2500 moveto (Poster) show showpage',
    );
    const { text, meta } = await read(bytes, 'a.pdf');
    expect(text).toBe('Poster');
    expect(meta.warnings).toEqual([expect.stringMatching(/^Page 1 .* 120 dpi instead of 300/)]);
  });

  it('renders the page of a photo without a density at the resolution of the photo', async () => {
    const photo = await sharp(drawn('png16m', page(...LINES), A4))
      .jpeg()
      .toBuffer();
    const { bytes } = await runOperation(
      'images_to_pdf',
      { pageSize: 'fit', margin: 0 },
      { name: 'a.jpg', bytes: photo },
    );
    const { text, meta } = await read(bytes, 'a.pdf');
    expect(words(text)).toBe(LINES.join(' '));
    expect(meta.warnings).toEqual([]);
  });
});

it('extract_text_ocr warns of inked areas without words', async () => {
  const wave = (y: number) =>
    `72 ${y} moveto ${Array.from({ length: 55 }, (_, at) => `2 ${6 + (at % 3) * 5} 6 ${-6 - (at % 3) * 5} 8 0 rcurveto`).join(' ')} stroke`;
  const handwriting = Array.from({ length: 14 }, (_, line) => wave(470 - line * 30)).join(' ');
  const { text, confidence, meta } = await read(
    drawn('png16m', `1.5 setlinewidth ${handwriting} ${page(...LINES)}`, A4),
  );
  expect(words(text)).toContain(LINES[0]);
  expect(confidence).toBeGreaterThan(0.8);
  expect(meta.warnings).toEqual([
    'Page 1: OCR found no words in large areas that look like text. They may be images, or text that OCR missed.',
  ]);
});

it('extract_text_ocr warns of text that it is unsure of', async () => {
  const { meta } = await read(drawn('png16m', `595 0 translate -1 1 scale ${page(...LINES)}`));
  expect(meta.warnings).toContain(
    'Page 1: OCR is unsure of most of the text. It may be noise, handwriting or text in another language.',
  );
});

describe('extract_text_ocr refuses', () => {
  it('more than 50 pages, with 413', async () => {
    const many = (count: number) => `${count} { showpage } repeat`;
    for (const device of ['pdfwrite', 'tiffg4']) {
      await expect(read(drawn(device, many(51), SIZE, 10), 'long')).rejects.toMatchObject({
        status: 413,
        param: 'file',
        message: expect.stringContaining('51 pages'),
      });
    }
  });

  it('images over 100 megapixels with 413 before decoding', async () => {
    const started = performance.now();
    const large = await sharp({
      create: { width: 11_000, height: 10_000, channels: 3, background: 'white' },
    })
      .png()
      .toBuffer();
    await expect(read(large)).rejects.toMatchObject({ status: 413, param: 'file' });
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('a PDF that needs a password, naming it', async () => {
    const [plain, locked] = [join(folder, 'plain.pdf'), join(folder, 'locked.pdf')];
    writeFileSync(plain, drawn('pdfwrite', page(...LINES)));
    run('qpdf', '--encrypt', 'secret', 'owner', '256', '--', plain, locked);
    await expect(read(readFileSync(locked), 'locked.pdf')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^"locked.pdf" is protected by a password/),
    });
  });

  const CIRCULAR = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[2 0 R]>>endobj\ntrailer<</Root 1 0 R/Size 3>>',
  );

  it.each([
    ['a text, which Tesseract would treat as a list of files', Buffer.from('/etc/hostname\n')],
    ['a truncated image', png.subarray(0, png.length >> 1)],
    ['a truncated TIFF', drawn('tiffg4', page(...LINES)).subarray(0, 900)],
    ['an empty PDF', Buffer.from('%PDF-1.7\nnothing')],
    ['a PDF whose page tree contains itself', CIRCULAR],
    ['nothing', Buffer.alloc(0)],
  ])('%s, naming the file', async (_, bytes) => {
    await expect(read(bytes, 'bad.bin')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"bad.bin"'),
    });
  });

  it('to continue after the caller disconnects, and leaves no process', async () => {
    const leaving = new AbortController();
    const pages = Array(8)
      .fill(page(...LINES))
      .join('');
    const file = { name: 'a.pdf', bytes: drawn('pdfwrite', pages) };
    const call = runOperation('extract_text_ocr', { language: 'eng' }, file, leaving.signal);
    call.catch(() => undefined);
    await expect.poll(() => programsLeft().length).toBeGreaterThan(0);
    leaving.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    // The kernel terminates a killed process group asynchronously.
    await expect.poll(programsLeft).toEqual([]);
  });
});
