/** Compares merging and splitting over HTTP with the qpdf program on the same files. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, execute } from './compare.ts';
import type { Row } from './row.ts';
import { withService } from './service.ts';

const ROUNDS = 9;
const PAGES = 350;
const MANY_PAGES = 3000;
const PART_PAGES = 30;
const MAX_RATIO = 1.5;
/** The limit is high, because qpdf does less work: it drops bookmarks and forms, and creates no ZIP. */
const MAX_PARTED = 5;

export const pdfRows = (): Promise<Row[]> =>
  withService(async (baseUrl, folder) => {
    const [first, second] = [makeBook(folder, 'first'), makeBook(folder, 'second')] as const;
    const out = (name: string) => join(folder, name);
    const qpdf = (...args: string[]) => execFileSync('qpdf', args);
    const post = (parts: [string, string | Blob, string?][]) => execute(baseUrl, parts);
    const asBlob = (path: string) => new Blob([readFileSync(path)], { type: 'application/pdf' });
    const split = (ranges: string[], book = first) =>
      post([
        ['tool', 'split_pdf'],
        ['parameters', JSON.stringify({ ranges })],
        ['file', asBlob(book), 'book.pdf'],
      ]);
    const thick = makeBook(folder, 'thick', MANY_PAGES);
    /** Returns the page ranges that `qpdf --split-pages=N` produces. */
    const parted = (pages: number, size: number) =>
      Array.from({ length: pages / size }, (_, at) => `${at * size + 1}-${(at + 1) * size}`);
    const FOUR = ['1-80', '81-160', '161-240', '241-320'];
    return [
      await compare(
        `merge_pdf, 2 × ${PAGES} pages / qpdf`,
        () =>
          post([
            ['tool', 'merge_pdf'],
            ['files', asBlob(first), 'first.pdf'],
            ['files', asBlob(second), 'second.pdf'],
          ]),
        () => qpdf('--empty', '--pages', first, second, '--', out('merged.pdf')),
        MAX_RATIO,
        ROUNDS,
      ),
      await compare(
        'split_pdf, 1 range of 150 pages / qpdf',
        () => split(['101-250']),
        () => qpdf(first, '--pages', '.', '101-250', '--', out('part.pdf')),
        MAX_RATIO,
        ROUNDS,
      ),
      await compare(
        'split_pdf, 4 ranges of 80 pages / 4 × qpdf',
        () => split(FOUR),
        () => {
          for (const [index, range] of FOUR.entries()) {
            qpdf(first, '--pages', '.', range, '--', out(`part-${index}.pdf`));
          }
        },
        MAX_RATIO,
        ROUNDS,
      ),
      await compare(
        `split_pdf, ${PAGES} single pages / qpdf --split-pages`,
        () => split(parted(PAGES, 1)),
        () => qpdf('--split-pages', first, out('page.pdf')),
        MAX_PARTED,
        ROUNDS,
      ),
      await compare(
        `split_pdf, ${MANY_PAGES} pages by ${PART_PAGES} / qpdf --split-pages`,
        () => split(parted(MANY_PAGES, PART_PAGES), thick),
        () => qpdf(`--split-pages=${PART_PAGES}`, thick, out('part.pdf')),
        MAX_PARTED,
        ROUNDS,
      ),
    ];
  });

/** Generates a book with Ghostscript. It has text, a bookmark every ten pages, and a link on every page. */
function makeBook(folder: string, name: string, count = PAGES): string {
  const path = join(folder, `${name}.pdf`);
  const pages = Array.from({ length: count }, (_, index) => {
    const lines = Array.from(
      { length: 40 },
      (_, line) =>
        `72 ${740 - line * 17} moveto (${name} ${index} ${line}: the quick brown fox) show`,
    );
    const bookmark =
      index % 10 === 0
        ? `[/Title (Chapter ${index / 10}) /Page ${index + 1} /View [/Fit] /OUT pdfmark`
        : '';
    const target = ((index * 7) % count) + 1;
    return `${bookmark} [/Rect [72 60 200 80] /Page ${target} /View [/Fit] /Subtype /Link /ANN pdfmark
      /Helvetica 11 selectfont ${lines.join(' ')} showpage`;
  });
  const source = join(folder, `${name}.ps`);
  writeFileSync(source, pages.join('\n'));
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', path, source]);
  if (statSync(path).size < 100_000) throw new Error('the book is too small for a comparison');
  return path;
}
