import { describe, expect, it } from 'vitest';
import { type CallEvent, CallOrigin, CallRecord } from './call-record.ts';
import { badRequest } from './errors.ts';

/** Returns a call record, and the events that its sink has received. */
function recorded(sampleRate = 0) {
  const events: Partial<CallEvent>[] = [];
  const sinks = {
    sampleRate,
    write: ({ tool, surface, status, code }: CallEvent) =>
      void events.push({ tool, surface, status, code }),
  };
  const origin = new CallOrigin('id', { headers: new Headers() }, sinks);
  return { record: new CallRecord(origin), events };
}

describe('a call’s trace record', () => {
  it('is written when the call ends, with any earlier failure', () => {
    const { record, events } = recorded();
    record.tool = 'merge_pdf';
    record.fail(badRequest('no'));
    expect(events).toEqual([]);
    record.end();
    expect(events).toEqual([
      { tool: 'merge_pdf', surface: 'rest', status: 400, code: 'bad_request' },
    ]);
  });

  it('contains a record for each tool call', () => {
    const { record, events } = recorded();
    record.setLimit('chain');
    record.setCaller({ address: '', accountId: 'ann' } as never);
    const part = record.part('merge_pdf', 'chain');
    expect([part.caller, part.requestId]).toEqual(['account', 'id']);
    part.end();
    record.end(200);
    expect(events.map(({ tool, status }) => [tool, status])).toEqual([
      ['merge_pdf', 200],
      ['chain', 200],
    ]);
  });

  it('is sampled at the configured rate, regardless of the caller’s trace flag', () => {
    const headers = new Headers({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    for (const [rate, flag] of [
      [0, '00'],
      [1, '01'],
    ] as const) {
      const origin = new CallOrigin('id', { headers }, { sampleRate: rate, write: () => {} });
      expect(origin.trace.traceparent).toMatch(new RegExp(`^00-a{32}-[0-9a-f]{16}-${flag}$`));
    }
  });
});
