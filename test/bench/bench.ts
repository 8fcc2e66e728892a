/**
 * Runs the benchmarks and prints one row per measurement. An error fails the run, but a missed goal is only reported.
 */
import { spawnSync } from 'node:child_process';
import type { Row } from './row.ts';

/**
 * If several groups run, each runs in a separate process. Modules that one group loads, such as wrangler or a browser,
 * would otherwise slow down the others.
 */
const GROUPS: Record<string, () => Promise<Row[]>> = {
  rate: async () => (await import('./rate.ts')).rateRows(),
  links: async () => (await import('./links.ts')).linkRows(),
  mcp: async () => (await import('./mcp.ts')).mcpRows(),
  pdf: async () => (await import('./pdf.ts')).pdfRows(),
  documents: async () => (await import('./documents.ts')).documentRows(),
  image: async () => (await import('./image.ts')).imageRows(),
  bundle: async () => (await import('./bundle.ts')).bundleRows(),
  uploads: async () => (await import('./uploads.ts')).uploadRows(),
  models: async () => (await import('./models.ts')).modelRows(),
  ocr: async () => (await import('./ocr.ts')).ocrRows(),
  video: async () => (await import('./video.ts')).videoRows(),
  search: async () => (await import('./search.ts')).searchRows(),
  load: async () => (await import('./load.ts')).loadRows(),
  mixed: async () => (await import('./mixed.ts')).mixedRows(),
  web: async () => (await import('./web.ts')).webRows(),
  chain: async () => (await import('./chain.ts')).chainRows(),
  site: async () => (await import('./site.ts')).siteRows(),
  cost: async () => (await import('./cost.ts')).costRows(),
  quality: async () => (await import('./quality/quality.ts')).qualityRows(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in GROUPS));
if (unknown) throw new Error(`Unknown group ${unknown}. Use: ${Object.keys(GROUPS).join(', ')}.`);
const FIGURE_WIDTH = 46;
const VALUE_WIDTHS = [16, 16, 8, 8];

const names = Object.keys(GROUPS).filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 1) {
  const rows = await GROUPS[names[0]!]!();
  const longest = Math.max(FIGURE_WIDTH, ...rows.map(({ name }) => name.length));
  const widths = [longest + 2, ...VALUE_WIDTHS];
  const print = (...cells: string[]) =>
    console.log(cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(''));
  print('figure', 'ours', 'theirs', 'ratio', 'goal');
  for (const row of rows) {
    print(row.name, row.ours, row.theirs, row.ratio, row.goal, row.reached ? 'ok' : 'behind goal');
  }
  // The browser that the test files share is never closed and would keep this process running.
  process.exit();
} else {
  const statuses = names.map((name) => {
    const measured = spawnSync(process.execPath, [import.meta.filename, name], {
      stdio: 'inherit',
    });
    return measured.status;
  });
  process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
}
