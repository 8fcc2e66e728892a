/**
 * Bundles the site's scripts into the folder that is deployed beside the Worker ([assets] in wrangler.toml). Every file
 * has a hash of its content in its name; site-files.json lists them for the server.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { replaceFile } from './replace-file.ts';

const SOURCES = 'src/site/client';
const FOLDER = '.static';
const DAY_MS = 86_400_000;

/** A script or stylesheet: its path on the site, and the paths of the chunks that a script imports at once. */
interface SiteFile {
  path: string;
  imports: string[];
}

export function writeSiteFiles(): void {
  const assets = join(FOLDER, 'assets');
  const entryPoints = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(SOURCES, name));
  const { outputFiles, metafile } = buildSync({
    entryPoints,
    outdir: assets,
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'esnext',
    minify: true,
    legalComments: 'none',
    loader: { '.worker.min.mjs': 'file' },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  mkdirSync(assets, { recursive: true });
  for (const { path, contents } of outputFiles) {
    const now = new Date();
    if (existsSync(path)) utimesSync(path, now, now);
    else replaceFile(path, contents);
  }
  replaceFile(join(FOLDER, 'site-files.json'), JSON.stringify(siteFilesOf(metafile, entryPoints)));
  removeOldFiles(assets);
  for (const name of ['pdf.min.mjs', 'pdf.worker.min.mjs'])
    copyFileSync(join('node_modules/pdfjs-dist/build', name), join(FOLDER, name));
}

/** The files by the name of their entry point, such as `home.js`. */
function siteFilesOf({ outputs }: Metafile, entryPoints: readonly string[]) {
  const pathOf = (output: string) => `/${relative(FOLDER, output)}`;
  const files: Record<string, SiteFile> = {};
  for (const [output, { entryPoint, imports }] of Object.entries(outputs)) {
    if (!entryPoint || !entryPoints.includes(entryPoint)) continue;
    const chunks = imports.filter(({ kind }) => kind === 'import-statement');
    files[basename(entryPoint).replace(/\.ts$/, '.js')] = {
      path: pathOf(output),
      imports: chunks.map(({ path }) => pathOf(path)),
    };
  }
  return files;
}

/** Pages that are still open, and a service that was started from older sources, ask for the older files. */
function removeOldFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path);
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) writeSiteFiles();
