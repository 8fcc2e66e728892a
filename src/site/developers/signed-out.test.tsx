import { expect, it } from 'vitest';
import { TrialKeyCard } from './sign-in-section.tsx';
import { WhatKeysGive } from './signed-out.tsx';

const rowsOf = (hasLimits: boolean) =>
  [...String(<WhatKeysGive hasLimits={hasLimits} />).matchAll(/<th scope="row">(.*?)<\/tr>/g)].map(
    ([, row]) => row!.replace(/<[^>]*>/g, ' ').trim(),
  );

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
  expect(String(<WhatKeysGive hasLimits={false} />)).toContain('no call is refused');
  expect(String(<WhatKeysGive hasLimits />)).not.toContain('no call is refused');
  expect(String(<TrialKeyCard hasLimits={false} />)).toContain('A trial key for 24 hours');
});
