/** Creates the sample files for documents and sample calls (docs/content.md). */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { jpegOf, photograph } from '../../containers/media/operations/pdf/test-image-files.ts';
import { drawPng, encodeQr } from '../../src/tools/generate_qr_code/qr.ts';

/** The function that creates each file, by file name. */
const MAKERS = {
  'report.pdf': (path) => {
    const pages = Array.from({ length: 12 }, (_, index) => reportPage(index + 1));
    ghostscript(path, 'pdfwrite', pages.join(' '));
  },
  'cover.pdf': (path) => ghostscript(path, 'pdfwrite', coverPage()),
  'scan.pdf': writeScan,
  'letter.png': (path) => ghostscript(path, 'png16m', page(...LETTER), '-r150', '-g1240x620'),
  'brief.png': (path) => ghostscript(path, 'png16m', page(...BRIEF), '-r150', '-g1240x620'),
  'photo.jpg': async (path) => {
    await sharp(await jpegOf(await photograph(1600, 1200), 1600, 1200))
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '50/1 56/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 92 })
      .toFile(path);
  },
  'screenshot.png': (path) => drawn(SCREENSHOT, path),
  'comic.png': (path) => drawn(COMIC, path),
  'code.png': async (path) => {
    writeFileSync(
      path,
      await drawPng(encodeQr(new TextEncoder().encode('https://example.com/')), 400),
    );
  },
  'animation.gif': async (path) => {
    const frames = ['teal', 'orange', 'purple'].map((background) =>
      sharp({ create: { width: 320, height: 180, channels: 3, background } })
        .png()
        .toBuffer(),
    );
    await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif()
      .toFile(path);
  },
  'clip.mp4': (path) => {
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=640x360:d=2', '-f', 'lavfi'],
      ...['-i', 'sine=d=2', '-c:v', 'libx264', '-crf', '10', '-c:a', 'aac', '-shortest', path],
    ]);
  },
  'notes.txt': text('Grüße aus Köln.\nThe meeting is on Friday at ten.\n'),
  'data.csv': text('name,amount\nann,3\nbob,5\n'),
  'settings.json': text('{"port":8787,"limits":true,"name":"tools"}\n'),
  'old.conf': text('port 8787\nlimits on\nname tools\n'),
  'new.conf': text('port 9000\nlimits on\nname tools\n'),
  'logo.svg': text(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><circle cx="60" cy="60" r="50" fill="teal"/></svg>\n',
  ),
} satisfies Record<string, (path: string) => unknown>;

export type SampleFile = keyof typeof MAKERS;

export const SAMPLE_FILES = Object.keys(MAKERS) as SampleFile[];

/** Creates the files with these names in `folder`. Creates all sample files by default. */
export async function makeSampleFiles(
  folder: string,
  names: Iterable<SampleFile> = SAMPLE_FILES,
): Promise<void> {
  for (const name of new Set(names)) await MAKERS[name](join(folder, name));
}

/** MAKERS is created before the constants below, so this must be a hoisted function declaration. */
function text(content: string): (path: string) => void {
  return (path) => writeFileSync(path, content);
}

const LETTER = ['Dear reader,', 'the invoice is due on Monday.', 'Yours, Ann'];
const BRIEF = ['Sehr geehrte Frau Weber,', 'die Rechnung ist am Montag fertig.'];

/** Returns PostScript code for a page with these lines of text. */
const page = (...lines: string[]) =>
  `/Helvetica 24 selectfont ${lines
    .map((line, index) => `40 ${240 - index * 50} moveto (${line}) show`)
    .join(' ')} showpage`;

/** Returns PostScript code for a cover page with a title and bars of color. */
function coverPage(): string {
  return `0.04 0.39 0.33 setrgbcolor 0 470 612 372 rectfill 0.85 setgray 60 430 180 8 rectfill
    1 setgray /Helvetica-Bold 44 selectfont 60 520 moveto (The annual report) show showpage`;
}

/** Makes a page with a bookmark, two lines of text, gray bars that resemble text, and a chart. */
function reportPage(number: number): string {
  const bars = Array.from({ length: 9 }, (_, row) => {
    const width = row % 4 === 3 ? 250 : 460 + ((row * 37 + number * 11) % 32);
    return `60 ${590 - row * 24} ${width} 8 rectfill`;
  });
  const columns = Array.from({ length: 6 }, (_, column) => {
    const height = 60 + ((column * 53 + number * 29) % 150);
    return `${70 + column * 80} 90 50 ${height} rectfill`;
  });
  return `[/Title (Chapter ${number}) /Page ${number} /OUT pdfmark 0.15 setgray
    /Helvetica-Bold 34 selectfont 60 700 moveto (Chapter ${number}) show
    /Helvetica 24 selectfont 60 650 moveto (What happened in month ${number}.) show
    0.85 setgray ${bars.join(' ')} 60 88 492 2 rectfill
    0.04 0.39 0.33 setrgbcolor ${columns.join(' ')} showpage`;
}

function ghostscript(path: string, device: string, program: string, ...more: string[]): void {
  const options = ['-q', `-sDEVICE=${device}`, ...more, '-o', path, '-'];
  execFileSync('gs', options, { input: program });
}

/** The page size of a scan at 300 dpi, in points. It is small, because many tests run OCR on the scan. */
const SCAN = [360, 180] as const;

/** Makes two pages of text as images, without a text layer. */
async function writeScan(scanPath: string): Promise<void> {
  const document = await PDFDocument.create();
  const [width, height] = SCAN.map((points) => (points / 72) * 300) as [number, number];
  for (const [index, lines] of [LETTER, BRIEF].entries()) {
    const path = `${scanPath}.png`;
    ghostscript(path, 'png16m', page(...lines), '-r180', `-g${width}x${height}`);
    // The grain of scanned paper makes scans large.
    const grain = await jpegOf(await photograph(width, height, index + 1), width, height);
    const paper = await sharp(grain).linear(0.4, 150).toBuffer();
    const scan = await sharp(paper)
      .composite([{ input: readFileSync(path), blend: 'multiply' }])
      .jpeg({ quality: 92 })
      .toBuffer();
    rmSync(path);
    const image = await document.embedJpg(scan);
    document.addPage([...SCAN]).drawImage(image, { width: SCAN[0], height: SCAN[1] });
  }
  writeFileSync(scanPath, await document.save());
}

const drawn = (svg: string, path: string) => sharp(Buffer.from(svg)).png().toFile(path);

const SCREENSHOT = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800"><rect width="1280" height="800" fill="#fff"/>
  <rect width="1280" height="60" fill="#234"/>${Array.from({ length: 20 }, (_, row) => `<text x="40" y="${110 + row * 33}" font-family="DejaVu Sans" font-size="20">Line ${row + 1} of a page of text</text>`).join('')}</svg>`;

/** Draws four panels of different sizes on a white page. */
const COMIC = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="900"><rect width="800" height="900" fill="#fff"/>
  <g stroke="#000" stroke-width="4"><rect x="30" y="30" width="740" height="250" fill="#9cf"/><rect x="30" y="310" width="355" height="260" fill="#fc9"/>
  <rect x="415" y="310" width="355" height="260" fill="#9f9"/><rect x="30" y="600" width="740" height="270" fill="#f99"/></g></svg>`;
