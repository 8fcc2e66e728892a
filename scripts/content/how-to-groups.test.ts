import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { HOW_TO_GROUPS } from '../../src/site/content/how-to-groups.ts';

it('every how-to belongs to exactly one group', () => {
  const written = globSync('src/content/how-to/*.md').map((path) => basename(path, '.md'));
  expect(HOW_TO_GROUPS.flatMap(([, names]) => names).sort()).toEqual(written.sort());
});
