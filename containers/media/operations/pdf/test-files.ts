/** Makes real PDF files for the tests, and runs operations on them as the server does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { emptyTestFolder, makeTestFolder } from '../../../../test/support/test-folder.ts';
import { resultOf, run } from '../test-operation.ts';

export const folder = makeTestFolder('pdf-tests');
export const emptyFolder = () => emptyTestFolder(folder);

/** Writes a file to the tests' folder and returns its path. */
export function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content, typeof content === 'string' ? 'latin1' : undefined);
  return path;
}

/** Uses Ghostscript to convert PostScript with pdfmarks to a PDF. */
export function distilled(name: string, postScript: string): string {
  const source = put(`${name}.ps`, `%!PS\n/Helvetica findfont 30 scalefont setfont\n${postScript}`);
  const path = join(folder, `${name}.pdf`);
  run('gs', '-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', `-sOutputFile=${path}`, source);
  return path;
}

/**
 * Makes a book, which needs at least 3 pages. The bookmark "NAME chapter 1" points to page 1 and has a child that
 * points to page 2 by name. The bookmark "NAME chapter 3" points to page 3. Page 1 links to page 2 by name and to page
 * 3, and page 3 links to page 1.
 */
export function book(name: string, pages = 4, label = 'a'): string {
  const link = (bottom: number, target: string) =>
    `[ /Rect [70 ${bottom} 300 ${bottom + 50}] /Border [0 0 1] ${target} /Subtype /Link /ANN pdfmark\n`;
  let text = `[ /Title (${name} info) /DOCINFO pdfmark
[ /Page 1 /View [/XYZ 0 700 null] /Title (${name} chapter 1) /Count 1 /OUT pdfmark
[ /Dest /section.1 /Title (${name} section 1) /OUT pdfmark
[ /Page 3 /View [/Fit] /Title (${name} chapter 3) /OUT pdfmark\n`;
  for (let page = 1; page <= pages; page += 1) {
    if (page === 1) {
      // HTML converters include a link only if it covers text.
      text += '72 600 moveto (forward) show\n';
      text += link(690, '/Dest /section.1') + link(590, '/Page 3 /View [/Fit]');
      text += `[ /Label (${label}) /PAGELABEL pdfmark\n`;
    }
    if (page === 2) text += '[ /Dest /section.1 /View [/XYZ 0 500 null] /DEST pdfmark\n';
    if (page === 3) text += link(690, '/Page 1 /View [/Fit]');
    text += `72 700 moveto (${name} secret of page ${page}) show showpage\n`;
  }
  return distilled(name, text);
}

export interface Ran {
  path: string;
  bytes: Buffer;
  contentType: string;
  meta: Record<string, unknown>;
}

let runs = 0;

/** Runs an operation as the server does, in its own directory. */
export async function operate(
  name: string,
  params: Record<string, unknown>,
  paths: readonly string[],
): Promise<Ran> {
  runs += 1;
  const directory = join(folder, `run-${runs}`);
  mkdirSync(directory);
  const files = await Promise.all(
    paths.map(async (path, index) => {
      const copy = join(directory, `input-${index}`);
      await writeFile(copy, readFileSync(path));
      const { size } = await stat(path);
      return { name: basename(path), size, path: copy };
    }),
  );
  const signal = AbortSignal.timeout(60_000);
  const result = await resultOf(name, params, files, { directory, signal });
  const isZip = result.contentType === 'application/zip';
  const path = put(`result-${runs}.${isZip ? 'zip' : 'pdf'}`, result.bytes);
  return { path, ...result };
}
