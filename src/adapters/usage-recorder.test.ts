import { describe, expect, it } from 'vitest';
import type { UsageEntry } from '../core/usage-store.ts';
import { GatheringRecorder } from './usage-recorder.ts';

const CALLS = [
  { keyId: null, accountId: null, tool: 'a' },
  { keyId: 'k', accountId: null, tool: 'b' },
];

describe('the recorder of usage', () => {
  it.each([
    ['writes', true, ['a', 'b']],
    ['leaves to Analytics Engine', false, ['b']],
  ])('%s what anonymous callers call', async (_, countsAnonymous, tools) => {
    const written: UsageEntry[] = [];
    const log = { add: async (entries: readonly UsageEntry[]) => void written.push(...entries) };
    const recorder = new GatheringRecorder(log, { touchLastUsed: async () => {} }, countsAnonymous);
    for (const call of CALLS) recorder.note(call);
    await recorder.flush();
    expect(written.map(({ tool }) => tool)).toEqual(tools);
  });
});
