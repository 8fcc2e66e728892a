import { expect, it } from 'vitest';
import { TOOLS } from '../tools/registry.ts';
import { ownLimitsText } from './own-limits.ts';

const few = TOOLS.filter(({ access }) => typeof access === 'object');

it.each(few)('names both limits of $name, as its description does', (tool) => {
  expect(ownLimitsText(tool)).toContain(
    '15 a minute for each IP address with an account, and 3 an hour for each IP address without one',
  );
  expect(tool.description).toContain('3 calls per hour, or 15 per minute with an account');
});
