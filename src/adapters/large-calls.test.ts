import { describe, expect, it } from 'vitest';
import { MB } from '../core/limits.ts';
import { LargeCalls } from './large-calls.ts';

const signal = () => new AbortController().signal;
const from = (calls: LargeCalls, address: string, abort = signal) => calls.of({ address }, abort);
const json = (bytes: number) =>
  new Response('1'.repeat(bytes), {
    headers: { 'Content-Type': 'application/json', 'Content-Length': String(bytes) },
  });
/** Waits long enough for the other calls to run. */
const aWhile = () => scheduler.wait(100);

describe('large calls', () => {
  it('run one at a time, with callers in turn', async () => {
    const calls = new LargeCalls();
    let running = 0;
    let order = '';
    const run = async (address: string) => {
      const call = from(calls, address);
      await call.begin();
      running += 1;
      expect(running).toBe(1);
      await scheduler.wait(30);
      order += address;
      running -= 1;
      call.end();
    };
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(run));
    // Caller a's second call arrived before the calls from b and c. Its third call waits behind them.
    expect(order).toBe('aabcaa');
  });

  it('let other work run between two pieces of a call', async () => {
    const call = from(new LargeCalls(), 'a');
    await call.begin();
    let others = 0;
    setTimeout(() => {
      others += 1;
    }, 0);
    await call.begin();
    expect(others).toBe(1);
    call.end();
  });

  it('run while another call is paused', async () => {
    const calls = new LargeCalls();
    const waiting = from(calls, 'a');
    await waiting.begin();
    waiting.pause();
    const other = from(calls, 'b');
    await other.begin();
    other.end();
    await waiting.begin();
    waiting.end();
  });

  it('hold at most 16 MB in memory per caller and 32 MB in total', async () => {
    const calls = new LargeCalls();
    let held = '';
    const reserve = async (address: string) => {
      const call = from(calls, address);
      await call.reserve(8 * MB);
      held += address;
      return call;
    };
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(reserve);
    await aWhile();
    expect([...held].sort().join('')).toBe('aabb');
    for (const call of all) (await call).end();
    expect(held).toBe('aabbac');
  });

  it('hold a response’s memory until it is sent, and wait while too much is held', async () => {
    const calls = new LargeCalls();
    const answers: Response[] = [];
    for (const address of ['a', 'b']) {
      const call = from(calls, address);
      await call.begin();
      answers.push(call.answer(json(20 * MB)));
    }
    const next = from(calls, 'd');
    let begun = false;
    const beginning = next.begin().then(() => {
      begun = true;
    });
    await aWhile();
    expect(begun).toBe(false);
    expect((await answers[0]!.arrayBuffer()).byteLength).toBe(20 * MB);
    await beginning;
    await answers[1]!.body!.cancel();
    next.end();
  });

  it('wait only for callers whose unread responses exceed their memory limit', async () => {
    const calls = new LargeCalls();
    const call = from(calls, 'a');
    await call.begin();
    const answer = call.answer(json(20 * MB));
    let begun = '';
    const begin = async (address: string) => {
      const next = from(calls, address);
      await next.begin();
      begun += address;
      next.end();
    };
    const waiting = ['a', 'b'].map(begin);
    await waiting[1];
    expect(begun).toBe('b');
    await answer.arrayBuffer();
    await Promise.all(waiting);
  });

  it('lose the memory of a slowly read response to another caller', async () => {
    const calls = new LargeCalls({ graceMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    const unread = await Promise.all(
      ['a', 'b'].map(async (address) => {
        const call = from(calls, address);
        await call.begin();
        return call.answer(json(20 * MB)).body!.getReader();
      }),
    );
    const next = from(calls, 'c');
    await next.begin();
    next.end();
    const readAll = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
      while (!(await reader.read()).done);
    };
    const read = await Promise.allSettled(unread.map(readAll));
    expect(read.map(({ status }) => status)).toContain('rejected');
  });

  it('keep a slowly read response while no one else waits', async () => {
    const calls = new LargeCalls({ graceMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    const call = from(calls, 'a');
    await call.begin();
    const answer = call.answer(json(20 * MB));
    await scheduler.wait(1200);
    expect((await answer.arrayBuffer()).byteLength).toBe(20 * MB);
  });

  it('leave the response unchanged', async () => {
    const call = from(new LargeCalls(), 'a');
    await call.begin();
    const made = json(MB);
    made.headers.set('X-Request-Id', 'one');
    const answer = call.answer(new Response(made.body, { status: 400, headers: made.headers }));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('X-Request-Id')).toBe('one');
    expect(await answer.text()).toBe('1'.repeat(MB));
  });

  it('end when no caller waits for them any more', async () => {
    const calls = new LargeCalls();
    const caller = new AbortController();
    const left = from(calls, 'a', () => caller.signal);
    await left.begin(16 * MB);
    const next = from(calls, 'a');
    const beginning = next.begin(16 * MB);
    caller.abort();
    await beginning;
    expect(left.isHeld).toBe(false);
    next.end();
  });

  it('lose the memory of a slow request body to another caller, with 503', async () => {
    const calls = new LargeCalls({ graceMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    const never = new Promise<never>(() => {});
    const slow = ['a', 'b'].map((address) => from(calls, address));
    const received = slow.map((call) => call.receive(16 * MB, () => never));
    const refusals = received.map((one) =>
      one.catch((error) => {
        for (const call of slow) call.end();
        return error;
      }),
    );
    await aWhile();
    const next = from(calls, 'c');
    expect(await next.receive(8 * MB, async () => 'the body')).toBe('the body');
    expect(await Promise.race(refusals)).toMatchObject({ status: 503, retryAfter: 10 });
    next.end();
  });

  it('keep the memory of a slow request body while no one else waits', async () => {
    const calls = new LargeCalls({ graceMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    const call = from(calls, 'a');
    const slow = scheduler.wait(1200).then(() => 'the body');
    expect(await call.receive(16 * MB, () => slow)).toBe('the body');
    call.end();
  });

  it('return 503 when 64 calls are running or waiting', async () => {
    const calls = new LargeCalls();
    const all = Array.from({ length: 65 }, () => from(calls, 'a').reserve(16 * MB));
    // These calls reject only after a minute, when this test has already finished.
    for (const one of all) one.catch(() => undefined);
    await expect(all[64]).rejects.toMatchObject({ status: 503, retryAfter: 10 });
  });
});
