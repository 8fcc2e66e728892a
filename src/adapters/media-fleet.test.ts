import { describe, expect, it } from 'vitest';
import { MEDIA_HEADERS, PROGRESS_TYPE } from '../core/media-headers.ts';
import {
  type Attempt,
  type Clock,
  type MediaRequest,
  type SendToInstance,
  toFleet,
} from './media-fleet.ts';
import { MediaRouting } from './media-routing.ts';

const LOAD = { [MEDIA_HEADERS.load]: '0/2' };
const ok = async () => new Response('done', { headers: LOAD });
const cut = async () => {
  throw new Error('connection reset');
};
const refuse = (reason: string) => async () =>
  new Response('', { status: 503, headers: { ...LOAD, [MEDIA_HEADERS.refused]: reason } });

/** The clock is frozen, so a wait ends only when its signal is aborted. */
const still: Clock = {
  now: () => 0,
  random: () => 0,
  wait: (_, signal) => rejectAfter(signal),
};

const rejectAfter = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Returns a fleet of these instances. `calls` collects each call as `instance path`. */
function fleetOf(instances: SendToInstance[], clock = still) {
  const calls: string[] = [];
  const noted = instances.map(
    (send, number): SendToInstance =>
      (path, init) => {
        calls.push(`${number} ${path}`);
        return send(path, init);
      },
  );
  const send = toFleet(new MediaRouting([{ region: undefined, instances: noted }]), clock);
  const call = (request: Partial<MediaRequest> = {}) =>
    send('/operations/x', { method: 'POST', signal: new AbortController().signal, ...request });
  return { call, calls };
}

describe('a call to the media fleet', () => {
  it.each([
    ['throws', cut],
    ['receives 500 from the platform', async () => new Response('', { status: 500 })],
    ['receives 503 from the platform', async () => new Response('', { status: 503 })],
    ['is refused because the instance shuts down', refuse('ending')],
    ['is refused because the instance is busy', refuse('busy')],
    ['is refused because its disk is full', refuse('full')],
  ])('is retried on another instance when it %s', async (_, first) => {
    const { call, calls } = fleetOf([first, ok]);
    expect((await call()).status).toBe(200);
    expect(calls).toEqual(['0 /operations/x', '1 /operations/x']);
  });

  it('is retried at most twice', async () => {
    const { call, calls } = fleetOf([cut, cut, cut, ok]);
    await expect(call()).rejects.toThrow('connection reset');
    expect(calls).toHaveLength(3);
  });

  it('sends the expected load of an instance, and chooses again if it is higher', async () => {
    const expected: (string | undefined)[] = [];
    const busier: SendToInstance = async (_, { headers }) => {
      const bound = (headers as Record<string, string>)[MEDIA_HEADERS.expected];
      expected.push(bound);
      const load = { [MEDIA_HEADERS.load]: '5/2' };
      if (bound === undefined || Number(bound) >= 5) return new Response('done', { headers: load });
      return new Response('', {
        status: 503,
        headers: { ...load, [MEDIA_HEADERS.refused]: 'busier' },
      });
    };
    const { call, calls } = fleetOf([busier, busier]);
    expect((await call()).status).toBe(200);
    expect(expected).toEqual(['0', '0', '5']);
    expect(new Set(calls.slice(0, 2)).size).toBe(2);
  });

  it('waits at any instance after four wrong expectations, or if there is only one', async () => {
    const { call, calls } = fleetOf([refuse('busier'), refuse('busier')]);
    expect((await call()).headers.get(MEDIA_HEADERS.refused)).toBe('busier');
    expect(calls).toHaveLength(6);
    const seen: unknown[] = [];
    const only = fleetOf([
      async (_, { headers }) => {
        seen.push(headers);
        return ok();
      },
    ]);
    await only.call();
    expect(seen).toEqual([{}]);
  });

  it('returns the last refusal when no other instance is left', async () => {
    const { call, calls } = fleetOf([refuse('busy')]);
    expect((await call()).status).toBe(503);
    expect(calls).toHaveLength(1);
  });

  it('is not retried when the worker itself returns an error', async () => {
    const failed = async () => new Response('', { status: 500, headers: LOAD });
    const { call, calls } = fleetOf([failed, ok]);
    expect((await call()).status).toBe(500);
    expect(calls).toHaveLength(1);
  });

  it('that is not idempotent is retried only after a refusal', async () => {
    const cutFleet = fleetOf([cut, ok]);
    await expect(cutFleet.call({ isUnsafe: true })).rejects.toThrow('connection reset');
    expect((await fleetOf([refuse('busy'), ok]).call({ isUnsafe: true })).status).toBe(200);
  });

  it('sends the whole body again on a retry', async () => {
    const received: string[] = [];
    const read = async (init: RequestInit) => received.push(await new Response(init.body).text());
    const { call } = fleetOf([
      (_path, init) => read(init).then(cut),
      (_path, init) => read(init).then(ok),
    ]);
    await call({ body: () => new Response('all of it').body! });
    expect(received).toEqual(['all of it', 'all of it']);
  });

  it('fails when its body cannot be read, without blaming the instance', async () => {
    const { call, calls } = fleetOf([(_path, { signal }) => rejectAfter(signal!), ok]);
    const body = ({ fail }: Attempt) => {
      fail(new Error('the object is gone'));
      return new ReadableStream<Uint8Array>();
    };
    await expect(call({ body })).rejects.toThrow('the object is gone');
    expect(calls).toHaveLength(1);
    // The instance is still healthy, so it gets the next call.
    const left = new AbortController();
    const next = call({ signal: left.signal });
    left.abort(new Error('the caller left'));
    await expect(next).rejects.toThrow('the caller left');
    expect(calls).toEqual(['0 /operations/x', '0 /operations/x']);
  });

  it('is not retried after the caller disconnects', async () => {
    const left = new AbortController();
    const { call, calls } = fleetOf([(_path, { signal }) => rejectAfter(signal!), ok]);
    const sent = call({ signal: left.signal });
    left.abort(new Error('the caller left'));
    await expect(sent).rejects.toThrow('the caller left');
    expect(calls).toHaveLength(1);
  });

  it('is retried when its instance stops responding on /live, however long the call may take', async () => {
    // All waits end at once.
    const clock = { ...still, wait: () => Promise.resolve() };
    const hang: SendToInstance = (_path, { signal }) => rejectAfter(signal!);
    const slow: SendToInstance = async (path, init) =>
      path === '/live' && lives-- > 0 ? ok() : hang(path, init);
    let lives = 3;
    const { call, calls } = fleetOf([slow, ok], clock);
    expect((await call()).status).toBe(200);
    expect(calls.filter((one) => one === '0 /live').length).toBeGreaterThan(0);
    expect(calls).toContain('1 /operations/x');
  });
});

describe('a fleet without a healthy instance', () => {
  it('returns 503 with Retry-After at once, and uses an instance again when it is ready', async () => {
    let now = 0;
    let isReady = false;
    const instance: SendToInstance = async (path) => {
      if (isReady) return ok();
      return path === '/ready' ? new Response('', { status: 503 }) : cut();
    };
    const { call, calls } = fleetOf([instance], { ...still, now: () => now });
    await expect(call()).rejects.toThrow('connection reset');
    await expect(call()).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    isReady = true;
    now = 5000;
    expect((await call()).status).toBe(200);
    expect(calls.slice(-2)).toEqual(['0 /ready', '0 /operations/x']);
  });
});

describe('a streamed response', () => {
  it('counts as a running call until its body ends', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { ...LOAD, 'Content-Type': PROGRESS_TYPE };
    const works = async () => new Response(readable, { headers });
    const { call, calls } = fleetOf([works, ok]);
    const response = await call();
    await call();
    await call();
    // The first instance is awake and has a free core, so it also gets the other calls.
    expect(calls[1]).toBe('0 /operations/x');
    await writable.close();
    expect(await response.text()).toBe('');
  });
});
