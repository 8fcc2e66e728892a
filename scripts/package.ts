/**
 * Builds the npm package of the client and the command. The package has no dependencies and contains none of the
 * service's code.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const FOLDER = 'dist/package';

/**
 * Returns the package.json of the npm package.
 * @param manifest the package.json of the service
 */
export function packageManifest(manifest: string): string {
  const { name, version, description, license } = JSON.parse(manifest);
  const own = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20.17' },
    exports: {
      './client': { types: `./${FOLDER}/types/client.d.ts`, default: `./${FOLDER}/client.js` },
    },
    bin: { tools: `${FOLDER}/command.js` },
    files: [FOLDER],
    sideEffects: false,
  };
  return `${JSON.stringify(own, null, 2)}\n`;
}

/**
 * Bundles the client and the command.
 * @param root the folder of the manifest
 */
export async function writePackage(root: string): Promise<void> {
  const folder = join(root, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle('src/client/client.ts', join(folder, 'client.js'));
  await bundle('src/command/main.ts', join(folder, 'command.js'), '#!/usr/bin/env node');
}

/** Identifiers are not minified, so that stack traces remain readable. */
export const bundleOptions = (entry: string): BuildOptions => ({
  entryPoints: [entry],
  external: ['node:*'],
  bundle: true,
  minifyWhitespace: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'warning',
});

const bundle = (entry: string, outfile: string, banner = '') =>
  build({ ...bundleOptions(entry), outfile, banner: { js: banner } });

/** Writes the type declarations of the client. They import nothing from outside the package. */
export function writeTypes(root: string): void {
  const options = {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'esnext',
    strict: true,
    lib: 'esnext,dom,dom.iterable',
    types: 'node',
    outDir: join(root, FOLDER, 'types'),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  execFileSync('tsc', ['--ignoreConfig', ...flags, 'src/client/client.ts'], { stdio: 'inherit' });
}
