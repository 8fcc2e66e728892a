/** Makes the npm package of the client and the command. It has no dependencies and contains nothing of the service. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const DOCUMENT = 'src/content/how-to/use-the-command-and-the-client.md';

/** Writes the files of the package into a new folder. */
export async function writePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { name, version, description, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  await bundle('src/client/client.ts', join(folder, 'client.js'));
  await bundle('src/command/main.ts', join(folder, 'command.js'), '#!/usr/bin/env node');
  const manifest = {
    ...{ name, version, description, license, type: 'module' },
    engines: { node: '>=20.17' },
    exports: { './client': { types: './types/client.d.ts', default: './client.js' } },
    bin: { tools: './command.js' },
    sideEffects: false,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readme());
  copyFileSync('LICENSE', join(folder, 'LICENSE'));
}

const bundle = (entry: string, outfile: string, banner = '') =>
  build({
    ...{ entryPoints: [entry], outfile, banner: { js: banner }, external: ['node:*'] },
    ...{ bundle: true, format: 'esm', platform: 'neutral', target: 'es2022' },
    logLevel: 'warning',
  });

/** Writes the types beside the files of the package. They import nothing from outside of it. */
export function writeTypes(folder: string): void {
  const options = {
    ...{ declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'esnext', strict: true },
    ...{ lib: 'esnext,dom,dom.iterable', types: 'node', outDir: join(folder, 'types') },
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  execFileSync('tsc', ['--ignoreConfig', ...flags, 'src/client/client.ts'], { stdio: 'inherit' });
}

function readme(): string {
  const [, frontMatter = '', body = ''] = readFileSync(DOCUMENT, 'utf8').split(/^---$/m);
  const title = /^title: (.+)$/m.exec(frontMatter)?.[1];
  return `# ${title}\n${body.replaceAll('{base_url}', 'http://localhost:8787')}`;
}
