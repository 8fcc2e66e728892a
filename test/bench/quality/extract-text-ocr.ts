/**
 * Compares extract_text_ocr with the tesseract program on clean and degraded pages, by the F1 score of the recognized
 * words. Also compares the size and words of searchable PDFs with those of ocrmypdf, which uses the same program.
 */
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { runOperation } from '../../../containers/media/operations/test-operation.ts';
import { atLeast, atMost, type Row } from '../row.ts';

const WORDS =
  'the ship came into our harbour at noon with a cargo of salt and oranges while many people stood on the quay to see who had returned from that long journey across the northern sea before winter closed every road'.split(
    ' ',
  );
const FONTS = ['Times-Roman', 'Helvetica', 'Palatino-Roman', 'Courier'];
const LINES = 24;
/** The number of pages for each kind of degradation. */
const PAGES = Number(process.env.BENCH_PAGES ?? 20);

interface Page {
  png: Buffer;
  words: string[];
}

type Damage = (png: Buffer, seed: number) => Promise<Buffer>;

const QUIET = {
  env: { ...process.env, OMP_THREAD_LIMIT: '1' },
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
} satisfies ExecFileSyncOptionsWithStringEncoding;

const white = { background: 'white' } as const;
const turned =
  (degrees: number): Damage =>
  (png, seed) =>
    sharp(png)
      .rotate(seed % 2 === 0 ? degrees : -degrees, white)
      .png()
      .toBuffer();

/** Adds a shadow that darkens the page from one side or from a corner. */
async function shaded(png: Buffer, seed: number): Promise<Buffer> {
  const { width, height } = await sharp(png).metadata();
  const [x2, y2] = seed % 2 === 0 ? [1, 0.3] : [0.2, 1];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><linearGradient id="g" x2="${x2}"
    y2="${y2}"><stop stop-color="#fff"/><stop offset=".5" stop-color="#bbb"/><stop offset="1" stop-color="#333"/>
    </linearGradient><rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  return sharp(png)
    .composite([{ input: Buffer.from(svg), blend: 'multiply' }])
    .png()
    .toBuffer();
}

const scaled =
  (share: number): Damage =>
  async (png) => {
    const { width } = await sharp(png).metadata();
    return sharp(png)
      .resize(Math.round(width * share))
      .png()
      .toBuffer();
  };

const DAMAGES: Record<string, Damage> = {
  'as printed': async (png) => png,
  'turned by 3 degrees': turned(3),
  'turned by 7 degrees': turned(7),
  'turned by 15 degrees': turned(15),
  'in a shadow': shaded,
  'at 75 dpi': scaled(0.25),
  'as JPEG of quality 20': (png) => sharp(png).jpeg({ quality: 20 }).toBuffer(),
};

export async function extractTextOcrRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-bench-'));
  try {
    const pages = Array.from({ length: PAGES }, (_, seed) => drawn(folder, seed));
    const rows: Row[] = [];
    for (const [name, damage] of Object.entries(DAMAGES)) {
      let [ours, theirs, worst] = [0, 0, 0];
      for (const [seed, { png, words }] of pages.entries()) {
        const bytes = await damage(png, seed);
        const us = f1(words, await readByUs(bytes));
        const them = f1(words, readByThem(folder, bytes));
        worst = Math.min(worst, us - them);
        ours += us / pages.length;
        theirs += them / pages.length;
      }
      const said = `OCR of ${PAGES} pages ${name} / tesseract`;
      rows.push(atLeast(said, ours, theirs, 1, 'F1'));
      if (process.env.BENCH_SHOW) console.log(name, 'most lost on one page', worst.toFixed(3));
    }
    return [...rows, ...(await searchableRows(folder, pages))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SCANS: Record<string, Damage> = {
  PNG: DAMAGES['as printed']!,
  JPEG: (png) => sharp(png).jpeg({ quality: 85 }).toBuffer(),
  'one-bit PNG': (png) =>
    sharp(png).threshold(140).toColorspace('b-w').png({ palette: true, colors: 2 }).toBuffer(),
};

async function searchableRows(folder: string, pages: readonly Page[]): Promise<Row[]> {
  const rows: Row[] = [];
  const [image, pdf] = [join(folder, 'scan'), join(folder, 'searchable.pdf')];
  const theirArguments = ['-q', '-l', 'eng', '--image-dpi', '300', '--output-type', 'pdf'];
  for (const [name, scan] of Object.entries(SCANS)) {
    let [ours, theirs, ourWords, theirWords] = [0, 0, 0, 0];
    for (const { png, words } of pages) {
      const bytes = await scan(png, 0);
      const params = { language: 'eng', output: 'pdf' };
      const made = await runOperation('extract_text_ocr', params, { name: 'page', bytes });
      writeFileSync(pdf, made.bytes);
      ours += made.bytes.length / 1024;
      ourWords += f1(words, wordsOf(pdf)) / pages.length;
      writeFileSync(image, bytes);
      execFileSync('ocrmypdf', [...theirArguments, image, pdf], QUIET);
      theirs += readFileSync(pdf).length / 1024;
      theirWords += f1(words, wordsOf(pdf)) / pages.length;
    }
    const said = `searchable PDF of ${pages.length} pages as ${name} / ocrmypdf`;
    rows.push(atMost(`${said}: bytes`, ours, theirs, 1, 'kB'));
    rows.push(atLeast('… words in the text layer', ourWords, theirWords, 1, 'F1'));
  }
  return rows;
}

const wordsOf = (pdf: string) =>
  execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' }).split(/\s+/);

/** Draws an A5 page at 300 dpi. */
function drawn(folder: string, seed: number): Page {
  const words = Array.from(
    { length: LINES * 7 },
    (_, index) => WORDS[(index * (seed + 3) + (index >> 3) * (seed + 1)) % WORDS.length] as string,
  );
  const size = 10 + (seed % 3);
  const lines = Array.from({ length: LINES }, (_, line) => {
    const text = words.slice(line * 7, line * 7 + 7).join(' ');
    return `36 ${550 - line * 20} moveto (${text}) show`;
  });
  const [source, image] = [join(folder, 'page.ps'), join(folder, 'page.png')];
  writeFileSync(
    source,
    `/${FONTS[seed % FONTS.length]} ${size} selectfont ${lines.join(' ')} showpage`,
  );
  execFileSync('gs', [
    ...['-q', '-sDEVICE=pnggray', '-r300', '-g1748x2480'],
    ...['-dTextAlphaBits=4', '-o', image, source],
  ]);
  return { png: readFileSync(image), words };
}

async function readByUs(bytes: Buffer): Promise<string[]> {
  const file = { name: 'page', bytes };
  const { bytes: body } = await runOperation('extract_text_ocr', { language: 'eng' }, file);
  return JSON.parse(body.toString()).text.split(/\s+/);
}

function readByThem(folder: string, bytes: Buffer): string[] {
  const image = join(folder, 'read');
  writeFileSync(image, bytes);
  return execFileSync('tesseract', [image, '-', '-l', 'eng'], QUIET).split(/\s+/);
}

/** Returns the F1 score of the words, regardless of their order. */
function f1(expected: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let right = 0;
  const words = found.filter((word) => word !== '');
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count > 0) right += 1;
    left.set(word, count - 1);
  }
  return (2 * right) / (expected.length + words.length);
}
