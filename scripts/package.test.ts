/** Tests that the package is small, and contains the client but none of the service's code. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { bundleOptions, packageManifest } from './package.ts';

const bundle = (entry: string) => build({ ...bundleOptions(entry), write: false, metafile: true });

it('the client is smaller than 5 kB, compressed', async () => {
  const { outputFiles, metafile } = await bundle('src/client/client.ts');
  expect(gzipSync(outputFiles[0]!.contents).byteLength).toBeLessThan(5000);
  const foreign = Object.keys(metafile.inputs).filter((path) => !path.startsWith('src/client/'));
  expect(foreign).toEqual([]);
  // Bundlers for browsers cannot resolve Node's built-in modules.
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});

it('the command contains the client, its own files and one pure function of the service', async () => {
  const { metafile } = await bundle('src/command/main.ts');
  const foreign = Object.keys(metafile.inputs).filter(
    (path) => !/^src\/(client|command)\//.test(path),
  );
  expect(foreign).toEqual(['src/core/similar-names.ts']);
});

it('the manifest names the client and the command, and no dependencies', () => {
  const service = readFileSync('package.json', 'utf8');
  const { name, version } = JSON.parse(service);
  const manifest = JSON.parse(packageManifest(service));
  expect(manifest).toMatchObject({ name, version, files: ['dist/package'] });
  expect(Object.keys(manifest.exports)).toEqual(['./client']);
  expect(Object.keys(manifest.bin)).toEqual(['tools']);
  expect(Object.keys(manifest).filter((field) => /dependencies|scripts/i.test(field))).toEqual([]);
});
