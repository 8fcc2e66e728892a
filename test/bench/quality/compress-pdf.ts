/** compress_pdf compared with Ghostscript's /ebook: bytes and time of files that we make. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { scan } from '../../../containers/media/operations/pdf/test-compress.ts';
import {
  book,
  folder,
  operate,
  put,
  removeFolder,
} from '../../../containers/media/operations/pdf/test-files.ts';
import { wholeFontFile } from '../../../containers/media/operations/pdf/test-font-files.ts';
import { imageFile } from '../../../containers/media/operations/pdf/test-image-files.ts';
import { atMost, type Row } from '../row.ts';

const FONTS = '/usr/share/fonts/truetype/dejavu';
const SCANS = 6;
const BOOKS = [4, 20, 60];

export async function compressPdfRows(): Promise<Row[]> {
  const paths = await madeFiles();
  const ratios: number[] = [];
  let [ours, theirs, ourSeconds, theirSeconds] = [0, 0, 0, 0];
  for (const path of paths) {
    const started = performance.now();
    const { bytes } = await operate('compress_pdf', {}, [path]);
    const between = performance.now();
    const small = distilled(path);
    ourSeconds += (between - started) / 1000;
    theirSeconds += (performance.now() - between) / 1000;
    // No bytes mean that the file stays as it is.
    const size = bytes.length || statSync(path).size;
    ours += size;
    theirs += small;
    ratios.push(size / small);
  }
  ratios.sort((left, right) => left - right);
  const ratioOf = (share: number) => ratios[Math.floor((ratios.length - 1) * share)] ?? 0;
  removeFolder();
  const name = `compress_pdf, ${paths.length} files / gs /ebook`;
  return [
    atMost(`${name}: bytes in all`, ours / 1024, theirs / 1024, 1, 'kB'),
    atMost('… the median file', ratioOf(0.5), 1, 1.1, ''),
    atMost('… nine of ten files', ratioOf(0.9), 1, 1.1, ''),
    atMost('… time', ourSeconds, theirSeconds, 1.5, 's'),
  ];
}

/** Whole fonts by codes of one byte and as composite fonts, scans, books with bookmarks and links. */
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

/** The size of what Ghostscript makes of a file. */
function distilled(path: string): number {
  const output = join(folder, 'by-gs.pdf');
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-o', output, path], {
    stdio: 'ignore',
  });
  return statSync(output).size;
}
