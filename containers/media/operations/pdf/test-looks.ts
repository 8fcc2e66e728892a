/** Reads a PDF with programs other than our own. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../test-operation.ts';
import { folder } from './test-files.ts';

/** Returns a hash of each page as rendered. */
export function renderings(path: string): string[] {
  const directory = mkdtempSync(join(folder, 'render-'));
  run('pdftoppm', '-r', '40', path, join(directory, 'page'));
  return readdirSync(directory)
    .sort()
    .map((page) =>
      createHash('sha256')
        .update(readFileSync(join(directory, page)))
        .digest('hex'),
    );
}

/** Returns qpdf's report. Throws if qpdf finds errors or warnings. */
export const check = (path: string): string => run('qpdf', '--check', path);

export interface SeenOutline {
  title: string;
  page: number | null;
  open: boolean;
  kids: SeenOutline[];
}

interface QpdfOutline {
  title: string;
  destpageposfrom1: number | null;
  open: boolean;
  kids: QpdfOutline[];
}

/** Returns the outlines as qpdf reads them. */
export function outlines(path: string): SeenOutline[] {
  const seen: { outlines: QpdfOutline[] } = JSON.parse(
    run('qpdf', '--json', '--json-key=outlines', path),
  );
  const simple = (items: QpdfOutline[]): SeenOutline[] =>
    items.map(({ title, destpageposfrom1: page, open, kids }) => ({
      title,
      page,
      open,
      kids: simple(kids),
    }));
  return simple(seen.outlines);
}

/** Returns the page labels as qpdf reads them. Each has a page index and a label dictionary. */
export function pageLabels(path: string): unknown {
  return JSON.parse(run('qpdf', '--json', '--json-key=pagelabels', path)).pagelabels;
}

/** Returns `[page of the link, target page]` for each internal link, as poppler reads them. */
export function links(path: string): [number, number][] {
  const directory = mkdtempSync(join(folder, 'html-'));
  const out = join(directory, 'pages');
  run('pdftohtml', '-xml', '-i', '-hidden', path, out);
  const found: [number, number][] = [];
  const pages = readFileSync(`${out}.xml`, 'latin1').split('<page ').slice(1);
  for (const [index, page] of pages.entries()) {
    for (const match of page.matchAll(/<a href="pages\.html#(\d+)"/g)) {
      found.push([index + 1, Number(match[1])]);
    }
  }
  return found;
}

export const pageCount = (path: string): number => Number(run('qpdf', '--show-npages', path));

/** Returns all content of a file as uncompressed text, so that tests can search it for content that must be absent. */
export function uncompressed(path: string): string {
  const out = `${path}.qdf`;
  run('qpdf', '--qdf', '--object-streams=disable', '--stream-data=uncompress', path, out);
  return readFileSync(out, 'latin1');
}
