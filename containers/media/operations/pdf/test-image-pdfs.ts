/** Runs images_to_pdf for tests, and reads the PDF with other programs. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { folder, meanDifference, operate } from '../image/test-images.ts';
import { run } from '../test-operation.ts';

export type Named = [name: string, bytes: Uint8Array];

export async function make(files: Named[], params: Record<string, unknown> = {}) {
  const ran = await operate('images_to_pdf', { pageSize: 'fit', margin: 0, ...params }, files);
  const path = join(mkdtempSync(join(folder, 'made-')), 'images.pdf');
  writeFileSync(path, ran.bytes);
  run('qpdf', '--check', path);
  return { ...ran, path };
}

/** Returns the width and height of every page in points. */
export const pageSizes = (path: string) =>
  [...run('pdfinfo', '-l', '999', path).matchAll(/Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)/g)].map(
    ([, width, height]) => [Number(width), Number(height)],
  );

/** Renders a page with poppler. By default, one pixel corresponds to one point. */
export function rendered(path: string, page = 1, dpi = 72): Buffer {
  const out = join(mkdtempSync(join(folder, 'page-')), 'p');
  run(
    'pdftoppm',
    '-png',
    '-r',
    String(dpi),
    '-f',
    String(page),
    '-l',
    String(page),
    '-singlefile',
    path,
    out,
  );
  return readFileSync(`${out}.png`);
}

/**
 * Returns the difference, 0 to 255, between a page as poppler renders it and the image on a white background. Each
 * pixel of the image is rendered as 4 × 4 pixels.
 */
export async function offFrom(bytes: Buffer, path: string, page = 1): Promise<number> {
  const page4 = rendered(path, page, 288);
  const { width, height } = await sharp(page4).metadata();
  const upright = sharp(bytes).autoOrient().flatten({ background: 'white' });
  const larger = upright.resize(width, height, { kernel: 'nearest', fit: 'fill' });
  return meanDifference(page4, await larger.png().toBuffer());
}

/** Returns the decoded samples of the first image in a PDF. qpdf decodes them. */
export function samples(path: string): Buffer {
  const { qpdf } = JSON.parse(run('qpdf', '--json', '--json-key=qpdf', path));
  const isColor = (dict: Record<string, unknown>) =>
    dict['/Subtype'] === '/Image' && dict['/Height'] !== undefined;
  const found = Object.entries<{ stream?: { dict: Record<string, unknown> } }>(qpdf[1]).filter(
    ([, { stream }]) => stream && isColor(stream.dict),
  );
  const masks = found.map(([, { stream }]) => stream?.dict['/SMask']);
  const [name] = found.find(([key]) => !masks.includes(key.slice(4))) ?? [''];
  const [object = ''] = name.slice(4).split(' ');
  return execFileSync('qpdf', [`--show-object=${object}`, '--filtered-stream-data', path], {
    maxBuffer: 1 << 28,
  });
}

/** Returns the color samples of an image as a PDF stores them. 16-bit samples are stored with the high byte first. */
export async function samplesOf(bytes: Buffer): Promise<Buffer> {
  const { depth, hasAlpha } = await sharp(bytes).metadata();
  const opened = sharp(bytes, { ignoreIcc: true });
  const space = (await sharp(bytes).metadata()).space;
  if (space) opened.toColorspace(space);
  const colors = hasAlpha ? opened.removeAlpha() : opened;
  const raw = await colors.raw({ depth }).toBuffer();
  return depth === 'ushort' ? raw.swap16() : raw;
}

/** Returns the images in a PDF as `pdfimages -all` writes them. */
export function extracted(path: string): { name: string; bytes: Buffer }[] {
  const directory = mkdtempSync(join(folder, 'images-'));
  run('pdfimages', '-all', path, join(directory, 'i'));
  return readdirSync(directory)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
}

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Makes a PDF that has a bookmark and one page for each of these widths. */
export function pdf(name: string, widths: number[]): Buffer {
  const source = join(folder, `${name}.ps`);
  const pages = widths.map(
    (width) =>
      `<< /PageSize [${width} 100] >> setpagedevice 10 10 moveto 50 50 lineto stroke showpage`,
  );
  writeFileSync(source, `[ /Page 1 /Title (${name}) /OUT pdfmark\n${pages.join('\n')}`);
  const path = join(folder, `${name}.pdf`);
  run('gs', '-q', '-sDEVICE=pdfwrite', '-o', path, source);
  return readFileSync(path);
}
