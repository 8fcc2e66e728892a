/** The package contains the client and nothing of the service, and the client is small. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { writePackage } from './package.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bundle = (entry: string) =>
  build({
    entryPoints: [entry],
    ...{ bundle: true, minify: true, write: false, metafile: true, format: 'esm' },
    ...{ platform: 'neutral', external: ['node:*'] },
  });

it('the client has less than 5 kB, compressed', async () => {
  const { outputFiles, metafile } = await bundle('src/client/client.ts');
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength).toBeLessThan(5000);
  const foreign = Object.keys(metafile.inputs).filter((path) => !path.startsWith('src/client/'));
  expect(foreign).toEqual([]);
  // Bundlers for browsers see no module of Node.
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});

it('the command contains the client and its own files', async () => {
  const { metafile } = await bundle('src/command/main.ts');
  const foreign = Object.keys(metafile.inputs).filter(
    (path) => !/^src\/(client|command)\//.test(path),
  );
  expect(foreign).toEqual([]);
});

it('the manifest names both, and no dependencies', async () => {
  await writePackage(folder);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'tools-service',
    version,
    exports: { './client': { default: './client.js' } },
    bin: { tools: './command.js' },
  });
  expect(manifest.dependencies).toBeUndefined();
  expect(readdirSync(folder).sort()).toEqual(
    ['LICENSE', 'README.md', 'client.js', 'command.js', 'package.json'].sort(),
  );
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toContain('{base_url}');
});
