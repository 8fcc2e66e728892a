/**
 * Bundles the site's scripts and styles into the folder of static assets, which is deployed with the Worker. The name
 * of each bundled file contains a hash of its content. site-files.json lists the paths for the server, and contains the
 * styles and icons that are inlined into pages.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { TOOLS } from '../src/tools/registry.ts';
import { replaceFile } from './replace-file.ts';
import { siteIcons } from './site-icons.ts';

const SOURCES = 'src/site/client';
/** The images of the how-tos and of the home page. */
const IMAGES = 'src/site/*/images/*.webp';
/** The worker imports tools' scripts by path, so it is bundled together with them. */
const TOOL_WORKER = 'tool-worker.ts';
const PDF_JS = 'node_modules/pdfjs-dist';
/** The files that pdf.js itself loads by fixed names: the decoders of JPEG 2000 and JBIG2, and CJK encodings. */
const PDF_JS_PARTS = ['wasm/*_nowasm_fallback.js', 'cmaps/*.bcmap'];
const FOLDER = '.static';
const DAY_MS = 86_400_000;
/** Replaces packages that pdf-lib imports (pdf-lib-parts.ts). wrangler.toml does the same for the Worker. */
const PDF_LIB_PARTS = Object.fromEntries(
  ['@pdf-lib/standard-fonts', '@pdf-lib/upng', 'pako'].map((name) => [
    name,
    './src/tools/pdf-lib-parts.ts',
  ]),
);

export function writeSiteFiles(): void {
  const assets = join(FOLDER, 'assets');
  const options = {
    outdir: assets,
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    target: 'esnext',
    minify: true,
    legalComments: 'none',
    alias: PDF_LIB_PARTS,
    loader: { '.min.mjs': 'file', '.webp': 'copy', '.woff2': 'file' },
    metafile: true,
    write: false,
    logLevel: 'warning',
  } satisfies BuildOptions;
  const entryPoints = readdirSync(SOURCES)
    .filter((name) => /(?<!\.d)\.(ts|css)$/.test(name) && name !== TOOL_WORKER)
    .map((name) => join(SOURCES, name));
  entryPoints.push(...globSync(IMAGES).toSorted());
  const site = buildSync({ ...options, entryPoints });
  const tools = buildSync({ ...options, entryPoints: toolEntries(), splitting: true });
  const outputFiles = [...site.outputFiles, ...tools.outputFiles];
  mkdirSync(assets, { recursive: true });
  for (const { path, contents } of outputFiles) {
    const now = new Date();
    if (existsSync(path)) utimesSync(path, now, now);
    else replaceFile(path, contents);
  }
  copyPdfJsParts(assets);
  const paths = { ...pathsOf(site.metafile), ...pathsOf(tools.metafile) };
  const header = outputFiles
    .find(({ path }) => path.endsWith(paths['header.css']!))!
    .text.trimEnd();
  const hash = createHash('sha256').update(header).digest('base64');
  const list = { paths, header, hash, icons: siteIcons() };
  replaceFile(join(FOLDER, 'site-files.json'), JSON.stringify(list));
  removeOldFiles(assets);
}

/**
 * Returns the worker script that runs tools in the browser, and the tools that can run there. These need neither a port
 * nor a file, or have an `in-browser.ts`, which replaces the tool on its page. The bundles share chunks.
 */
function toolEntries(): { in: string; out: string }[] {
  const scripts = TOOLS.map(({ name, needs, files, run }) => {
    const own = `src/tools/${name}/in-browser.ts`;
    const isPure = run !== undefined && needs.length === 0 && !files;
    return { in: isPure && !existsSync(own) ? `src/tools/${name}/${name}.ts` : own, out: name };
  });
  const worker = { in: join(SOURCES, TOOL_WORKER), out: basename(TOOL_WORKER, '.ts') };
  return [worker, ...scripts.filter((entry) => existsSync(entry.in))];
}

/** Copies parts of pdf.js to a folder that is named by its version, because browsers cache the files forever. */
function copyPdfJsParts(assets: string): void {
  const { version } = JSON.parse(readFileSync(join(PDF_JS, 'package.json'), 'utf8'));
  const folder = join(assets, `pdfjs-${version}`);
  for (const path of globSync(PDF_JS_PARTS, { cwd: PDF_JS }))
    cpSync(join(PDF_JS, path), join(folder, basename(path)));
  const now = new Date();
  utimesSync(folder, now, now);
}

/** Returns the file paths on the site, by the name of the entry point or font, such as `home.js`. */
function pathsOf({ outputs }: Metafile): Record<string, string> {
  const named = Object.entries(outputs).filter(
    ([output, { entryPoint }]) => entryPoint || output.endsWith('.woff2'),
  );
  return Object.fromEntries(
    named.map(([output]) => [
      basename(output).replace(/-[0-9A-Z]{8}(?=\.\w+$)/, ''),
      `/${relative(FOLDER, output)}`,
    ]),
  );
}

/**
 * Deletes files older than a day. Open pages, and services that were started from older sources, still request recent
 * files.
 */
function removeOldFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) writeSiteFiles();
