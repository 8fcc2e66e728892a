/**
 * Bundles the site's scripts and styles into the folder that is deployed beside the Worker ([assets] in
 * wrangler.toml). Every file name contains a hash of the content. site-files.json lists the paths for the server, and
 * contains the styles and the icons that are inlined into pages.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { replaceFile } from './replace-file.ts';
import { siteIcons } from './site-icons.ts';

const SOURCES = 'src/site/client';
const FOLDER = '.static';
const DAY_MS = 86_400_000;

export function writeSiteFiles(): void {
  const assets = join(FOLDER, 'assets');
  const entryPoints = readdirSync(SOURCES)
    .filter((name) => /(?<!\.d)\.(ts|css)$/.test(name))
    .map((name) => join(SOURCES, name));
  const { outputFiles, metafile } = buildSync({
    entryPoints,
    outdir: assets,
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    target: 'esnext',
    minify: true,
    legalComments: 'none',
    loader: { '.min.mjs': 'file', '.woff2': 'file' },
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
  const paths = pathsOf(metafile);
  const header = outputFiles
    .find(({ path }) => path.endsWith(paths['header.css']!))!
    .text.trimEnd();
  const hash = createHash('sha256').update(header).digest('base64');
  const list = { paths, header, hash, icons: siteIcons() };
  replaceFile(join(FOLDER, 'site-files.json'), JSON.stringify(list));
  removeOldFiles(assets);
}

/** The paths on the site by the name of the entry point or font, such as `home.js`. */
function pathsOf({ outputs }: Metafile): Record<string, string> {
  const sourceOf = ({ entryPoint, inputs }: Metafile['outputs'][string]) =>
    entryPoint ?? Object.keys(inputs).find((path) => path.endsWith('.woff2'));
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([output, built]) => {
      const source = sourceOf(built);
      if (!source) return [];
      return [[basename(source).replace(/\.ts$/, '.js'), `/${relative(FOLDER, output)}`]];
    }),
  );
}

/** Pages that are still open, and a service that was started from older sources, ask for the older files. */
function removeOldFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path);
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) writeSiteFiles();
