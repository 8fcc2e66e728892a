import { expect, it } from 'vitest';
import { TOOLS } from '../tools/registry.ts';
import { toolsByKind } from './kinds.ts';

it('every tool has exactly one kind', () => {
  const names = toolsByKind().flatMap(([, tools]) => tools.map(({ name }) => name));
  expect(names.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});
