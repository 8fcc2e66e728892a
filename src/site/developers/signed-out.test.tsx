import { expect, it } from 'vitest';
import { TOOLS } from '../../tools/registry.ts';
import { TrialKeyCard } from './sign-in-section.tsx';
import { WhatKeysGive } from './signed-out.tsx';

/** No tool is disabled. */
const NONE: ReadonlySet<string> = new Set();

const rowsOf = (hasLimits: boolean) =>
  [
    ...String(<WhatKeysGive hasLimits={hasLimits} off={NONE} />).matchAll(
      /<th scope="row">(.*?)<\/tr>/g,
    ),
  ].map(([, row]) => row!.replace(/<[^>]*>/g, ' ').trim());

it('WhatKeysGive lists the limits if calls are counted', () => {
  const text = rowsOf(true).join('\n');
  expect(text).toContain('35 an hour');
  expect(text).toContain('10,000 a day');
  expect(String(<TrialKeyCard hasLimits />)).toContain('1,000 requests in 24 hours');
});

it('WhatKeysGive states that runs are not limited if calls are not counted', () => {
  const rows = rowsOf(false);
  expect(rows[0]).toMatch(/^Runs and model tokens( +no limit){3}$/);
  expect(rows.join('\n')).not.toMatch(/an hour|a minute|a day|a month|GB/);
  expect(String(<WhatKeysGive hasLimits={false} off={NONE} />)).toContain('no call is refused');
  expect(String(<WhatKeysGive hasLimits off={NONE} />)).not.toContain('no call is refused');
  expect(String(<TrialKeyCard hasLimits={false} />)).toContain('A trial key for 24 hours');
});

it('WhatKeysGive does not list tools that are switched off', () => {
  const shown = (off: string[]) => String(<WhatKeysGive hasLimits off={new Set(off)} />);
  const names = TOOLS.filter(({ access }) => access === 'account').map(({ name }) => name);
  expect(shown([])).toContain(names.join(', '));
  expect(shown([names[0]!])).not.toContain(names[0]);
  expect(shown(names)).not.toContain(names[1]);
});
