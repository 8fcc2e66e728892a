/** Tests which failures of an attempt are retried. */
import { describe, expect, it } from 'vitest';
import { badRequest, ToolError, unavailable } from '../core/errors.ts';
import { afterInterruption, isInterruption, refusalOf, type State } from './job-state.ts';

const state = (attempts: number): State => ({
  id: 'a',
  caller: { address: '' },
  owner: null,
  tool: 'extract_text_ocr',
  inputs: [],
  warnings: [],
  createdAt: 0,
  status: 'running',
  attempts,
  outputs: [],
  end: 0,
  callBytes: 0,
  resultBytes: 0,
});
const busy = new ToolError('internal', 'Busy.', { status: 503, retryAfter: 15, isBusy: true });

describe('a job', () => {
  it('waits while the service is busy, and counts no attempt', () => {
    expect(isInterruption(busy, state(3), 0)).toBe(true);
    const next = afterInterruption(state(3), busy);
    expect(next).toMatchObject({ seconds: 15, state: { attempts: 2, status: 'queued' } });
    expect(refusalOf(next.state, 99 * 60_000)).toBeUndefined();
    expect(refusalOf(next.state, 101 * 60_000)).toMatchObject({ status: 503 });
  });

  it('is retried twice if a part of the service is down, after longer and longer pauses', () => {
    const down = unavailable('Down.', 1);
    expect([1, 2, 3].map((attempts) => isInterruption(down, state(attempts), 0))).toEqual([
      true,
      true,
      false,
    ]);
    expect([1, 2].map((attempts) => afterInterruption(state(attempts), down))).toMatchObject([
      { seconds: 3, state: { attempts: 1 } },
      { seconds: 12, state: { attempts: 2 } },
    ]);
  });

  it('fails at once if a model provider asks for a longer pause than a job may wait', () => {
    const limitedFor = (seconds: number) => unavailable('Rate-limited.', seconds);
    expect(isInterruption(limitedFor(99 * 60), state(1), 0)).toBe(true);
    expect(isInterruption(limitedFor(99 * 60), state(1), 2 * 60_000)).toBe(false);
    expect(isInterruption(limitedFor(24 * 3600), state(1), 0)).toBe(false);
  });

  it('is not retried after an error of its caller', () => {
    expect(isInterruption(badRequest('Wrong.'), state(1), 0)).toBe(false);
  });
});
