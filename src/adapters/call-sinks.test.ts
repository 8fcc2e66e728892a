import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallEvent, CallOrigin, CallRecord } from '../core/call-record.ts';
import { unavailable } from '../core/errors.ts';
import { allSinks, CallLog } from './call-sinks.ts';

let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  for (const name of ['log', 'error'] as const) {
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(JSON.parse(line)));
  }
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Calls that end with these statuses. */
function calls(log: CallLog, sampleRate: number, statuses: readonly number[]): void {
  for (const status of statuses) {
    const request = { headers: new Headers(), cf: { colo: 'FRA' } };
    const record = new CallRecord(new CallOrigin('id', request, allSinks([log], sampleRate)));
    if (status === 503) record.fail(unavailable('The media worker is not responding.', 5));
    record.end(status);
  }
}

describe('the log of calls', () => {
  it('has every failure, and no success unless it is sampled', () => {
    calls(new CallLog(), 0, [200, 404, 503]);
    expect(lines.map(({ level, status, code }) => [level, status, code])).toEqual([
      ['info', 404, undefined],
      ['error', 503, 'internal'],
    ]);
    calls(new CallLog(), 1, [200]);
    expect(lines.at(-1)).toMatchObject({
      ...{ event: 'call', requestId: 'id', status: 200, colo: 'FRA', caller: 'anonymous' },
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('omits the rest of a flood, and tells how much', () => {
    const log = new CallLog();
    calls(log, 0, Array(80).fill(404));
    expect(lines).toHaveLength(50);
    vi.setSystemTime(1000);
    calls(log, 0, [404, 404]);
    expect(lines.slice(50).map(({ omitted }) => omitted)).toEqual([30, undefined]);
  });
});

describe('the sinks of calls', () => {
  it('are all reached if one throws, which is logged and no caller notices', () => {
    const written: CallEvent[] = [];
    const broken = {
      write: () => {
        throw new Error('broken');
      },
    };
    const sinks = allSinks([broken, { write: (event) => written.push(event) }], 0);
    new CallRecord(new CallOrigin('id', { headers: new Headers() }, sinks)).end();
    expect(written).toHaveLength(1);
    expect(lines).toMatchObject([{ event: 'call-not-recorded', requestId: 'id' }]);
  });
});
