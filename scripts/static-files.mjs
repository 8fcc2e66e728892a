/** Collects the scripts that the site sends but that are not in the Worker's bundle, for [assets] in wrangler.toml. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const FILES = ['pdfjs-dist/build/pdf.min.mjs', 'pdfjs-dist/build/pdf.worker.min.mjs'];

export function gatherStaticFiles() {
  const folder = join(ROOT, '.static');
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) {
    copyFileSync(join(ROOT, 'node_modules', file), join(folder, basename(file)));
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) gatherStaticFiles();
