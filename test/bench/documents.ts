/**
 * Compares compress_pdf with Ghostscript's /ebook setting, and parse_document with pdftotext. The service's times
 * include the whole HTTP request.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { imageFile, jpegImage } from '../../containers/media/operations/pdf/test-image-files.ts';
import { compare, execute } from './compare.ts';
import { atLeast, atMost, type Row } from './row.ts';
import { withService } from './service.ts';

const SCANNED_PAGES = 20;
const PRINTED_PAGES = 300;
const ROUNDS = 4;
const MAX_RATIO = 1.5;
/** The number of pages that are rendered to compare their appearance. */
const COMPARED_PAGES = 4;

export const documentRows = (): Promise<Row[]> =>
  withService(async (baseUrl, folder) => {
    const at = (name: string) => join(folder, name);
    const scan = await makeScan(at('scan.pdf'));
    const call = (tool: string, path: string) =>
      execute(baseUrl, [
        ['tool', tool],
        ['file', new Blob([readFileSync(path)]), 'file.pdf'],
      ]);
    const gs = () =>
      execFileSync('gs', [
        '-q',
        '-sDEVICE=pdfwrite',
        '-dPDFSETTINGS=/ebook',
        '-o',
        at('gs.pdf'),
        scan,
      ]);
    const time = await compare(
      `compress_pdf, ${SCANNED_PAGES} pages at 300 dpi / gs /ebook`,
      async () => writeFileSync(at('ours.pdf'), await call('compress_pdf', scan)),
      gs,
      MAX_RATIO,
      ROUNDS,
    );
    const bytes = (name: string) => readFileSync(at(name)).length / 1024;
    const original = await rendered(scan);
    const [ours, theirs] = [await rendered(at('ours.pdf')), await rendered(at('gs.pdf'))];
    const text = makeBook(at('book.ps'), at('book.pdf'));
    return [
      time,
      atMost('… its size', bytes('ours.pdf'), bytes('gs.pdf'), 1, 'kB'),
      atLeast(
        '… its SSIM at 150 dpi',
        similarity(original, ours),
        similarity(original, theirs),
        1,
        '',
      ),
      await compare(
        `parse_document, ${PRINTED_PAGES} pages / pdftotext`,
        () => call('parse_document', text),
        () => execFileSync('pdftotext', [text, at('book.txt')]),
        MAX_RATIO,
        ROUNDS,
      ),
    ];
  });

/** Generates a PDF of twenty grainy images that fill their pages at 300 dpi. */
async function makeScan(path: string): Promise<string> {
  const pages = [];
  for (let seed = 1; seed <= SCANNED_PAGES; seed += 1) {
    pages.push({ image: await jpegImage(2000, 2600, seed), across: 480 });
  }
  writeFileSync(path, await imageFile(pages));
  return path;
}

function makeBook(source: string, path: string): string {
  const pages = Array.from({ length: PRINTED_PAGES }, (_, page) => {
    const lines = Array.from(
      { length: 45 },
      (_, line) =>
        `72 ${760 - line * 15} moveto (${page} ${line}: the quick brown fox jumps over the lazy dog) show`,
    );
    return `/Helvetica 11 selectfont ${lines.join('\n')} showpage`;
  });
  writeFileSync(source, pages.join('\n'));
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', path, source]);
  return path;
}

interface Gray {
  width: number;
  height: number;
  pixels: Buffer;
}

/** Renders pages in grayscale at 150 dpi. */
async function rendered(path: string): Promise<Gray[]> {
  const directory = await mkdtemp(`${path}-`);
  const pages = ['-gray', '-r', '150', '-l', `${COMPARED_PAGES}`];
  execFileSync('pdftoppm', [...pages, path, join(directory, 'page')]);
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(directory, name));
      const head = /^P5\s(\d+) (\d+)\s255\s/.exec(bytes.toString('latin1', 0, 64))!;
      const pixels = bytes.subarray(head[0].length);
      return { width: Number(head[1]), height: Number(head[2]), pixels };
    });
}

/** Returns the mean SSIM of the pages. */
const similarity = (left: readonly Gray[], right: readonly Gray[]) =>
  left.reduce((sum, page, index) => sum + ssim(page, right[index]!), 0) / left.length;

/** Computes the structural similarity (Wang et al. 2004) over 8 × 8 pixel windows with a stride of 4 pixels. */
function ssim(left: Gray, right: Gray): number {
  const [SIDE, STEP, C1, C2] = [8, 4, (0.01 * 255) ** 2, (0.03 * 255) ** 2];
  let sum = 0;
  let count = 0;
  for (let top = 0; top + SIDE <= left.height; top += STEP) {
    for (let start = 0; start + SIDE <= left.width; start += STEP) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + SIDE; y += 1) {
        for (let x = start; x < start + SIDE; x += 1) {
          const p = left.pixels[y * left.width + x]!;
          const q = right.pixels[y * right.width + x]!;
          a += p;
          b += q;
          aa += p * p;
          bb += q * q;
          ab += p * q;
        }
      }
      const size = SIDE * SIDE;
      const [meanA, meanB] = [a / size, b / size];
      const variances = aa / size - meanA ** 2 + bb / size - meanB ** 2;
      const covariance = ab / size - meanA * meanB;
      sum +=
        ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
        ((meanA ** 2 + meanB ** 2 + C1) * (variances + C2));
      count += 1;
    }
  }
  return sum / count;
}
