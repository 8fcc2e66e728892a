/** Pages that Ghostscript draws for the tests of OCR. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTestFolder, makeTestFolder } from '../../../../test/support/test-folder.ts';
import { run } from '../test-operation.ts';

export const folder = makeTestFolder('ocr-tests');
export const emptyFolder = () => emptyTestFolder(folder);

export const LINES = [
  'Every page of this book was printed',
  'by hand in a small workshop that',
  'stood beside the river for many years',
  'before the great flood carried it',
  'away one cold morning in spring',
  'and left nothing but its chimney',
];

/** The PostScript of a page with these lines. */
export const page = (...lines: string[]) =>
  `/Helvetica 24 selectfont ${lines
    .map((line, index) => `72 ${740 - index * 40} moveto (${line}) show `)
    .join('')} showpage `;

/** Renders PostScript with Ghostscript. */
export function drawn(device: string, postScript: string, ...more: string[]): Buffer {
  const path = join(folder, `drawn.${device}`);
  const source = join(folder, 'drawn.ps');
  writeFileSync(source, postScript);
  const options = ['-q', `-sDEVICE=${device}`, '-r150', '-sPAPERSIZE=a4', '-dPDFSETTINGS=/default'];
  run('gs', ...options, ...more, '-o', path, source);
  return readFileSync(path);
}

/** Ignores paragraph breaks, which the engine guesses. */
export const words = (text: string) => text.split(/\s+/).join(' ').trim();
