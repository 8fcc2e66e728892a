import { describe, expect, it, vi } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { generateUuidHere } from './in-browser.ts';

const ids = async (parameters: object) =>
  String((await runTool(generateUuidHere, { ...parameters })).value.text).split('\n');

describe('generate_uuid', () => {
  it('returns five different UUIDs of version 4 by default', async () => {
    const made = await ids({});
    expect(new Set(made).size).toBe(5);
    for (const id of made)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('starts UUIDs of version 7 and ULIDs with the time', async () => {
    vi.setSystemTime(1735689600123);
    const [uuid] = await ids({ kind: 'uuid-v7', count: 1 });
    expect(uuid).toMatch(/^01941f29-7c7b-7[\da-f]{3}-[89ab]/);
    const [ulid] = await ids({ kind: 'ulid', count: 1 });
    expect(ulid).toMatch(/^01JGFJJZ3V[0-9A-HJKMNP-TV-Z]{16}$/);
    vi.useRealTimers();
  });

  it('sorts IDs of the same millisecond in order of creation', async () => {
    const made = await ids({ kind: 'ulid', count: 50 });
    expect(made).toEqual([...made].sort());
  });
});
