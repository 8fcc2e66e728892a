import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { COMPARISON_GROUPS } from '../../src/site/content/comparison-groups.ts';
import { HOW_TO_GROUPS } from '../../src/site/content/how-to-groups.ts';

it.each([
  ['how-to', HOW_TO_GROUPS],
  ['comparisons', COMPARISON_GROUPS],
] as const)('every document of %s belongs to exactly one group', (folder, groups) => {
  const written = globSync(`src/content/${folder}/*.md`).map((path) => basename(path, '.md'));
  expect(groups.flatMap(([, names]) => names).sort()).toEqual(written.sort());
});
