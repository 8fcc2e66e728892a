import { describe, expect, it } from 'vitest';
import { isSampled, Trace, traceIdOf } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const RECEIVED = `00-${ID}-00f067aa0ba902b7-01`;

describe('a trace', () => {
  it('continues the caller’s trace with its own span and flag', () => {
    const trace = new Trace(RECEIVED, false);
    expect(trace.id).toBe(ID);
    expect(trace.traceparent).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-00$`));
    expect(trace.traceparent).not.toContain('00f067aa0ba902b7');
    expect(isSampled(trace.traceparent)).toBe(false);
    expect(isSampled(new Trace(RECEIVED, true).traceparent)).toBe(true);
  });

  it('is sampled by the lowest bit of its flags, whatever the others are', () => {
    expect(isSampled(RECEIVED.replace(/01$/, '03'))).toBe(true);
    expect(isSampled(RECEIVED.replace(/01$/, '02'))).toBe(false);
  });

  it('starts a new trace without a header', () => {
    const { id, traceparent } = new Trace(null, true);
    expect(traceIdOf(traceparent)).toBe(id);
    expect(new Trace(null, true).id).not.toBe(id);
  });

  // https://www.w3.org/TR/trace-context/#traceparent-header
  it.each([
    ['with a trace ID of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['with a span ID of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
    ['with upper case', RECEIVED.toUpperCase()],
    ['with the forbidden version', RECEIVED.replace('00', 'ff')],
    ['with more fields in version 00', `${RECEIVED}-more`],
    ['with a long text', 'a'.repeat(10_000)],
    ['sent twice', `${RECEIVED}, ${RECEIVED}`],
  ])('starts a new trace for a header %s', (_, header) => {
    expect(traceIdOf(header)).toBeUndefined();
    expect(new Trace(header, false).id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('continues later versions, which may have more fields', () => {
    expect(traceIdOf(`01-${ID}-00f067aa0ba902b7-01-more`)).toBe(ID);
  });
});
