/** Runs split_image for tests, and unpacks its result. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { run } from '../test-operation.ts';
import { folder, operate } from './test-images.ts';

/** Splits an image, and unpacks the resulting ZIP with an independent program. */
export async function split(bytes: Buffer, params: Record<string, unknown>, name = 'page.png') {
  const ran = await operate('split_image', params, [[name, bytes]]);
  const directory = mkdtempSync(join(folder, 'zip-'));
  const path = join(directory, 'panels.zip');
  writeFileSync(path, ran.bytes);
  if (ran.meta.panels !== 0) run('unzip', '-q', path, '-d', directory);
  const names = readdirSync(directory)
    .filter((entry) => entry !== 'panels.zip')
    .sort();
  const parts = names.map((entry) => readFileSync(join(directory, entry)));
  return { ...ran, names, parts };
}

export const sizeOf = async (bytes: Buffer) => {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
};
