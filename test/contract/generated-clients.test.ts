/** Checks that the clients of the two most common generators compile in strict mode, and that their calls work. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { baseUrl } from '../support/service.ts';

const SOURCES = resolve(import.meta.dirname, 'clients');
const CALLS = ['openapi-fetch-calls', 'hey-api-calls'];
const folder = mkdtempSync(join(tmpdir(), 'tools-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${baseUrl}/api/v1/openapi.json`)).text());
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'hey-api'));
  for (const name of CALLS) copyFileSync(join(SOURCES, `${name}.ts`), join(folder, `${name}.ts`));
  execFileSync('node', [join(SOURCES, 'generate.ts'), document, folder], { stdio: 'pipe' });
});

it('the generated clients compile strictly, and wrong parameters do not compile', () => {
  const options = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: [],
    },
    files: CALLS.map((name) => `${name}.ts`),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  let output = '';
  try {
    execFileSync('tsc', ['-p', folder], { stdio: 'pipe' });
  } catch (error) {
    output = String((error as { stdout: Buffer }).stdout);
  }
  expect(output).toBe('');
});

it.each(CALLS)('the calls of %s succeed', async (name) => {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  });
  const document = await PDFDocument.create();
  document.addPage([99, 99]);
  const pdf = new Blob([new Uint8Array(await document.save())], { type: 'application/pdf' });
  const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { makeCalls } = await import(outfile);
  const { wrong: _, ...made } = await makeCalls(baseUrl, pdf, new Blob([new Uint8Array(image)]));
  expect(made).toEqual({
    encoded: 'aGk=',
    formatted: '[1]',
    executed: 'hi',
    listed: 30,
    found: 1,
    documents: 1,
    merged: 'application/pdf',
    linked: [2, 'application/pdf'],
    small: 20,
    job: ['a%20b', 1],
    step: 'aGk=',
    refused: ['bad_request', 'ranges'],
  });
});
