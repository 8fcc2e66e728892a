/**
 * Checks that the Worker copies plain PDFs correctly. pdf-lib merges and splits files from real producers (Ghostscript,
 * cairo, Chromium's Skia, Tesseract, qpdf). poppler renders every page of the results, and the images are compared with
 * those of the source.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_PATH } from '../scripts/chromium-path.ts';
import { mergePlain, openPlain, selectPlain } from '../src/tools/plain-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-corpus-'));
const at = (name: string) => join(folder, name);
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });

afterAll(() => rmSync(folder, { recursive: true }));

const POSTSCRIPT = `
/Helvetica 30 selectfont 72 700 moveto (Page one) show
0.9 0.2 0.2 setrgbcolor 100 300 200 150 rectfill showpage
90 rotate /Times-Roman 40 selectfont 100 -300 moveto (Turned) show
<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 500 0]
   /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> shfill showpage
0 0 1 0 setcmykcolor 50 50 300 300 rectfill 0 setgray 20 20 translate
8 8 1 [8 0 0 -8 0 8] {<aa55aa55aa55aa55>} image
/Courier 20 selectfont 20 500 moveto (Page three) show showpage`;

const HTML = `<!doctype html><meta charset="utf-8"><style>@page { size: A5; margin: 1cm } h1 { color: teal }
div { break-before: page; background: linear-gradient(90deg, gold, tomato); height: 5cm; border-radius: 1cm; opacity: .7 }</style>
<h1>Grüße aus Chromium</h1><p>日本語 عربى Ελληνικά</p><div>Second page</div>`;

function makeCorpus(): void {
  writeFileSync(at('source.ps'), POSTSCRIPT);
  for (const level of ['1.3', '1.4', '1.7']) {
    run(
      'gs',
      '-q',
      '-sDEVICE=pdfwrite',
      `-dCompatibilityLevel=${level}`,
      '-o',
      `gs-${level}.pdf`,
      'source.ps',
    );
  }
  run('gs', '-q', '-sDEVICE=pdfimage24', '-r40', '-o', 'gs-image.pdf', 'source.ps');
  run('pdftocairo', '-pdf', 'gs-1.4.pdf', 'cairo.pdf');
  run('pdfseparate', '-f', '2', '-l', '2', 'gs-1.4.pdf', 'poppler-%d.pdf');
  writeFileSync(at('page.html'), HTML);
  run(
    CHROMIUM_PATH,
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-pdf-header-footer',
    `--user-data-dir=${at('profile')}`,
    '--disable-background-networking',
    '--print-to-pdf=chromium.pdf',
    `file://${at('page.html')}`,
  );
  run('pdftoppm', '-r', '100', '-png', '-f', '1', '-l', '1', 'gs-1.4.pdf', 'scan');
  run(
    'tesseract',
    readdirSync(folder).find((name) => name.startsWith('scan'))!,
    'tesseract',
    'pdf',
  );
  run('qpdf', '--linearize', 'gs-1.4.pdf', 'qpdf-linear.pdf');
  run('qpdf', '--object-streams=generate', 'cairo.pdf', 'qpdf-object-streams.pdf');
  run('qpdf', '--qdf', 'gs-1.7.pdf', 'qpdf-qdf.pdf');
  run('qpdf', '--rotate=+90:2', 'gs-1.7.pdf', 'qpdf-rotated.pdf');
  run(
    'qpdf',
    '--min-version=1.6',
    '--newline-before-endstream',
    'chromium.pdf',
    'qpdf-chromium.pdf',
  );
}

/** Returns the pages of a PDF as pixels, in order. */
function render(path: string): Buffer[] {
  const prefix = mkdtempSync(at('render-'));
  execFileSync('pdftoppm', ['-r', '50', path, join(prefix, 'page')], { stdio: 'ignore' });
  return readdirSync(prefix)
    .sort()
    .map((name) => readFileSync(join(prefix, name)));
}

const corpus = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .sort();
const plain = new Map<string, Buffer>();

beforeAll(async () => {
  makeCorpus();
  for (const name of corpus()) {
    const bytes = readFileSync(at(name));
    if (await openPlain(bytes)) plain.set(name, bytes);
  }
});

describe('the Worker', () => {
  it('accepts plain files of most producers', () => {
    expect(corpus().length).toBeGreaterThanOrEqual(13);
    for (const name of ['gs-1.4.pdf', 'cairo.pdf', 'tesseract.pdf', 'qpdf-object-streams.pdf']) {
      expect([...plain.keys()]).toContain(name);
    }
  });

  it('leaves tagged files to qpdf', () => {
    expect(plain.has('chromium.pdf')).toBe(false);
  });

  it('merges them without a change to any page, into a file that qpdf accepts', async () => {
    const documents = await Promise.all([...plain.values()].map((bytes) => openPlain(bytes)));
    writeFileSync(at('merged.out'), await mergePlain(documents.map((document) => document!)));
    run('qpdf', '--check', 'merged.out');
    const wanted = [...plain.keys()].flatMap((name) => render(at(name)));
    const found = render(at('merged.out'));
    expect(found.length).toBe(wanted.length);
    for (const [index, page] of found.entries()) {
      expect(page.equals(wanted[index]!), `page ${index + 1}`).toBe(true);
    }
  });

  it('splits each without a change to its pages, into a file that qpdf accepts', async () => {
    for (const [name, bytes] of plain) {
      const document = (await openPlain(bytes))!;
      const last = document.getPageCount();
      writeFileSync(at('split.out'), await selectPlain(document, [last, 1]));
      run('qpdf', '--check', 'split.out');
      const source = render(at(name));
      const [first, second] = render(at('split.out'));
      expect(first!.equals(source[last - 1]!), name).toBe(true);
      expect(second!.equals(source[0]!), name).toBe(true);
    }
  });
});
