import { expect, it } from 'vitest';
import { TOOLS } from '../tools/registry.ts';
import { toolCounts } from './counts.ts';

it('omits the tools that are off', () => {
  const { all, api, mcp, browser } = toolCounts();
  const off = new Set(TOOLS.filter(({ model }) => model === 'text').map(({ name }) => name));
  expect(off.size).toBeGreaterThan(0);
  expect(toolCounts(off)).toEqual({
    all: all - off.size,
    api: api - off.size,
    mcp: mcp - off.size,
    browser,
  });
});
