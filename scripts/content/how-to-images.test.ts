import { existsSync, globSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { HOW_TO_IMAGES } from '../../src/site/content/how-to-images.ts';

const MAX_BYTES = 15_000;

it('every how-to image belongs to a how-to and is small', () => {
  const files = globSync('src/site/content/images/*');
  expect(files.map((path) => basename(path, '.webp')).sort()).toEqual(Object.keys(HOW_TO_IMAGES));
  for (const path of files) {
    const name = basename(path, '.webp');
    expect(existsSync(`src/content/how-to/${name}.md`), name).toBe(true);
    expect(statSync(path).size, name).toBeLessThanOrEqual(MAX_BYTES);
  }
});
