/** Prints one row a figure. A figure behind its goal is said, never a failure; what breaks is one. */
import { bundleRows } from './bundle.ts';
import { chainRows } from './chain.ts';
import { documentRows } from './documents.ts';
import { imageRows } from './image.ts';
import { linkRows } from './links.ts';
import { loadRows } from './load.ts';
import { mcpRows } from './mcp.ts';
import { modelRows } from './models.ts';
import { ocrRows } from './ocr.ts';
import { pdfRows } from './pdf.ts';
import { rateRows } from './rate.ts';
import type { Row } from './row.ts';
import { searchRows } from './search.ts';
import { siteRows } from './site.ts';
import { uploadRows } from './uploads.ts';
import { videoRows } from './video.ts';
import { webRows } from './web.ts';

const GROUPS: Record<string, () => Promise<Row[]>> = {
  rate: rateRows,
  links: linkRows,
  mcp: mcpRows,
  pdf: pdfRows,
  documents: documentRows,
  image: imageRows,
  bundle: bundleRows,
  uploads: uploadRows,
  models: modelRows,
  ocr: ocrRows,
  video: videoRows,
  search: searchRows,
  load: loadRows,
  web: webRows,
  chain: chainRows,
  site: siteRows,
};

const wanted = process.argv.slice(2);
const columns = [46, 14, 14, 8, 8];
const print = (...cells: string[]) =>
  console.log(cells.map((cell, index) => cell.padEnd(columns[index] ?? 0)).join(''));

print('figure', 'ours', 'theirs', 'ratio', 'goal', '');
for (const [name, measure] of Object.entries(GROUPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await measure()) {
    print(row.name, row.ours, row.theirs, row.ratio, row.goal, row.reached ? 'ok' : 'behind goal');
  }
}
