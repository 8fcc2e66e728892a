/** Tests which decoders are allowed where images are decoded, by importing each of these modules in a process. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';

it.each([
  ['process/image-process.ts', { bytes: ['jpeg', 'webp', 'gif'], path: [] }],
  ['../pdf/recode-images.ts', { bytes: ['jpeg'], path: [] }],
])('%s decodes only the required formats, and no file by its path', async (program, decoded) => {
  const folder = mkdtempSync(join(tmpdir(), 'loader-tests-'));
  const at = (name: string) => join(folder, name);
  try {
    const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } });
    const kinds = ['jpeg', 'webp', 'gif'] as const;
    for (const kind of kinds) await pixel.clone()[kind]().toFile(at(kind));
    const code = `
      await import(${JSON.stringify(new URL(program, import.meta.url).href)});
      const { default: sharp } = await import('sharp');
      const { readFileSync } = await import('node:fs');
      const found = { bytes: [], path: [] };
      for (const kind of ${JSON.stringify(kinds)}) {
        const path = ${JSON.stringify(`${folder}/`)} + kind;
        await sharp(path).metadata().then(() => found.path.push(kind), () => {});
        await sharp(readFileSync(path)).metadata().then(() => found.bytes.push(kind), () => {});
      }
      console.log('\\n' + JSON.stringify(found));
      process.exit(0);`;
    const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code];
    const told = execFileSync(process.execPath, options, {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    });
    expect(JSON.parse(told.trim().split('\n').at(-1) ?? '')).toEqual(decoded);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
