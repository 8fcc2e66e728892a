/** Compares the size of the PDFs that images_to_pdf and img2pdf make from photos, drawings and one-bit scans. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { runOperation } from '../../../containers/media/operations/test-operation.ts';
import { atMost, type Row } from '../row.ts';
import { photograph, screenshot } from './made-images.ts';

const FILES = 20;
const SCAN_WIDTH = 2400;
const LAYOUT = { pageSize: 'fit', margin: 0 };

const KINDS: Record<string, (seed: number) => Promise<Buffer>> = {
  'photos as JPEG': photograph,
  'drawings as PNG': screenshot,
  'one-bit scans as PNG': async (seed) =>
    sharp(await screenshot(seed))
      .resize({ width: SCAN_WIDTH })
      .threshold(160)
      .toColorspace('b-w')
      .png({ palette: true, colors: 2 })
      .toBuffer(),
};

export async function imagesToPdfRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'images-to-pdf-bench-'));
  const [image, pdf] = [join(folder, 'image'), join(folder, 'by-img2pdf.pdf')];
  try {
    const rows: Row[] = [];
    for (const [name, make] of Object.entries(KINDS)) {
      let [ours, theirs] = [0, 0];
      for (let seed = 1; seed <= FILES; seed += 1) {
        const bytes = await make(seed);
        const made = await runOperation('images_to_pdf', LAYOUT, { name: 'image', bytes });
        ours += made.bytes.length / 1024;
        writeFileSync(image, bytes);
        execFileSync('img2pdf', [image, '-o', pdf], { stdio: 'ignore' });
        theirs += statSync(pdf).size / 1024;
      }
      rows.push(atMost(`images_to_pdf, ${FILES} ${name} / img2pdf`, ours, theirs, 1, 'kB'));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
