/** Compares compress_pdf with Ghostscript's /ebook setting, by size and time. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beginOriginal, lossOf } from '../../../containers/media/operations/pdf/similarity.ts';
import { scan } from '../../../containers/media/operations/pdf/test-compress.ts';
import { book, folder, operate, put } from '../../../containers/media/operations/pdf/test-files.ts';
import { wholeFontFile } from '../../../containers/media/operations/pdf/test-font-files.ts';
import { imageFile } from '../../../containers/media/operations/pdf/test-image-files.ts';
import { PdfDocument } from '../../../containers/media/pdf/document.ts';
import { takeInventory } from '../../../containers/media/pdf/inventory.ts';
import { PdfDamage } from '../../../containers/media/pdf/objects.ts';
import { ProgramFailure } from '../../../containers/media/program-failure.ts';
import { WorkLimit } from '../../../containers/media/work-limit.ts';
import { atLeast, atMost, median, type Row } from '../row.ts';

const FONTS = '/usr/share/fonts/truetype/dejavu';
const SCANS = 6;
const BOOKS = [4, 20, 60];

interface Measured {
  ours: number;
  theirs: number;
  /** Whether Ghostscript's result passes all of compress_pdf's checks. */
  passes: boolean;
}

/** Measures generated files, or the files in the folder BENCH_PDFS. */
export async function compressPdfRows(): Promise<Row[]> {
  const given = process.env.BENCH_PDFS;
  const paths = given ? readdirSync(given).map((name) => join(given, name)) : await madeFiles();
  const files: Measured[] = [];
  let [ourSeconds, theirSeconds] = [0, 0];
  for (const path of paths.filter((name) => name.endsWith('.pdf'))) {
    const started = performance.now();
    const { bytes } = await operate('compress_pdf', {}, [path]);
    const between = performance.now();
    const byGhostscript = distilled(path);
    ourSeconds += (between - started) / 1000;
    theirSeconds += (performance.now() - between) / 1000;
    // An empty result means that compress_pdf leaves the file unchanged.
    const ours = bytes.length || statSync(path).size;
    const passes = await keepsAll(path, byGhostscript);
    files.push({ ours, theirs: statSync(byGhostscript).size, passes });
  }
  rmSync(folder, { recursive: true });
  return [
    ...rowsOf('all results of gs /ebook', files, 1.1),
    ...rowsOf(
      'results of gs that lose nothing',
      files.filter(({ passes }) => passes),
      1,
    ),
    atMost('… time, all', ourSeconds, theirSeconds, 1.5, 's'),
  ];
}

function rowsOf(name: string, files: readonly Measured[], most: number): Row[] {
  const sum = (key: 'ours' | 'theirs') =>
    files.reduce((bytes, file) => bytes + file[key], 0) / 1024;
  const ratios = files.map(({ ours, theirs }) => ours / theirs);
  const share = ratios.filter((ratio) => ratio <= 1.1).length / files.length;
  return [
    atMost(`compress_pdf, ${files.length} ${name}: bytes`, sum('ours'), sum('theirs'), most, 'kB'),
    atMost('… the median file', median(ratios), 1, 1.1, ''),
    atLeast('… share of files at most 1.1', share, 1, 0.9, ''),
  ];
}

/**
 * Whether the other file passes compress_pdf's checks, which compare the pages, the text, the appearance and other
 * content.
 */
async function keepsAll(path: string, other: string): Promise<boolean> {
  const directory = mkdtempSync(join(folder, 'compared-'));
  const limit = WorkLimit.forFiles([{ size: statSync(path).size }]);
  const context = { directory, signal: AbortSignal.timeout(60_000), limit };
  try {
    const inventory = takeInventory(new PdfDocument(readFileSync(path)));
    const original = beginOriginal(path, inventory, true, context);
    const pages = Array.from({ length: inventory.pages }, (_, index) => index + 1);
    const compared = { all: pages, lossy: new Set(pages) };
    return (await lossOf(other, original, compared, context)) === undefined;
  } catch (error) {
    if (error instanceof PdfDamage || error instanceof ProgramFailure) return false;
    throw error;
  }
}

/** Makes PDFs with complete fonts (simple and composite), scans, and books with bookmarks and links. */
async function madeFiles(): Promise<string[]> {
  const paths = BOOKS.map((pages) => book(`book-${pages}`, pages));
  for (const font of readdirSync(FONTS).filter((name) => name.endsWith('.ttf'))) {
    for (const kind of ['simple', 'composite'] as const) {
      const bytes = await wholeFontFile(kind, undefined, join(FONTS, font));
      paths.push(put(`${kind}-${font}.pdf`, bytes));
    }
  }
  for (let seed = 1; seed <= SCANS; seed += 1) {
    paths.push(put(`scan-${seed}.pdf`, await imageFile([await scan(seed)])));
  }
  return paths;
}

/** Compresses a file with Ghostscript, and returns the path of the result. */
function distilled(path: string): string {
  const output = join(folder, 'by-gs.pdf');
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-o', output, path], {
    stdio: 'ignore',
  });
  return output;
}
