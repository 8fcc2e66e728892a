/**
 * Sends each call to the media worker that media-routing.ts chooses. If a worker fails or refuses the call before its
 * response begins, repeats the call on another worker.
 */
import { currentCaller } from '../core/current-request.ts';
import { unavailable } from '../core/errors.ts';
import { MEDIA_HEADERS, PROGRESS_TYPE, readLoad } from '../core/media-headers.ts';
import type { MediaRouting, RoutedCall, RoutedInstance } from './media-routing.ts';

/** Sends a request to one media worker. */
export type SendToInstance = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a request to the fleet. Throws 503 if no instance is healthy. If all attempts fail, returns the last instance's
 * response or throws its error.
 */
export type SendToMedia = (path: string, request: MediaRequest) => Promise<Response>;

export interface MediaRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** A stream is opened again for each attempt, because an attempt consumes it. */
  body?: string | ((attempt: Attempt) => ReadableStream<Uint8Array>);
  /** Whether the call must not be repeated if an instance may have begun it. */
  isUnsafe?: boolean;
}

/** One attempt to send a request with a body. */
export interface Attempt {
  /** The signal aborts if the attempt ends without a response. */
  signal: AbortSignal;
  /** Ends the whole call with this error, because the body cannot be read. The instance still counts as healthy. */
  fail(error: unknown): void;
}

/** The clock and the random source, which tests replace. */
export interface Clock {
  now(): number;
  random(): number;
  /** Rejects when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The limit on retries of a call. */
const REPEATS = 2;
/**
 * The maximum number of times that a call may be refused because an instance is busier than expected. After that, the
 * call waits in an instance's queue.
 */
const CORRECTIONS = 4;
/**
 * The interval at which `/live` is polled during a call, in milliseconds. Polling distinguishes a long call from a hung
 * instance.
 */
const LIVE_EVERY_MS = 10_000;
const LIVE_LIMIT_MS = 10_000;
/**
 * The number of instances whose readiness is checked if all instances are unhealthy. The check takes at most
 * READY_LIMIT_MS.
 */
const CHECKED = 2;
const READY_LIMIT_MS = 500;
/**
 * The Retry-After in seconds if no instance is healthy. After this time, an unhealthy instance can be checked again.
 */
const RETRY_SECONDS = 5;

type Instance = RoutedInstance<SendToInstance>;

export function toFleet(routing: MediaRouting<SendToInstance>, clock: Clock): SendToMedia {
  return async (path, request) => {
    const continent = currentCaller()?.continent;
    const tried = new Set<Instance>();
    // The number of refusals by instances that were busier than this isolate expected.
    let corrections = 0;
    // The call is counted before it is sent, so that concurrent calls take it into account.
    const next = async (): Promise<Sent | undefined> => {
      const instance =
        routing.choose(clock.now(), clock.random, continent, tried) ??
        (await firstReady(routing.toCheck(clock.now(), CHECKED, continent, tried), request, clock));
      if (!instance) return undefined;
      const isBound = routing.hasSeveral && corrections < CORRECTIONS;
      const expected = isBound ? instance.calls(clock.now()) : undefined;
      return { instance, expected, call: instance.begin(clock.now()) };
    };
    let sent = await next();
    if (!sent) throw noneHealthy();
    for (;;) {
      const outcome = await attempt(sent, path, request, clock);
      if (outcome.isAnswer) return outcome.response;
      if (outcome.isBusier && corrections < CORRECTIONS) corrections += 1;
      else tried.add(sent.instance);
      const mayRepeat = tried.size <= REPEATS && !(request.isUnsafe && outcome.mayHaveBegun);
      const another: Sent | undefined = mayRepeat ? await next() : undefined;
      if (!another) {
        if (outcome.response) return outcome.response;
        throw outcome.error;
      }
      await outcome.response?.body?.cancel();
      sent = another;
    }
  };
}

interface Sent {
  instance: Instance;
  call: RoutedCall;
  /** The number of calls that this isolate expects on the instance. An instance with more calls refuses the call. */
  expected: number | undefined;
}

type Outcome =
  | { isAnswer: true; response: Response }
  /** `response` is a refusal by the instance or a failure of the platform. Without it, `error` is the reason. */
  | {
      isAnswer: false;
      mayHaveBegun: boolean;
      isBusier?: boolean;
      response?: Response;
      error?: unknown;
    };

async function attempt(
  { instance, call, expected }: Sent,
  path: string,
  { headers, ...request }: MediaRequest,
  clock: Clock,
): Promise<Outcome> {
  let response: Response;
  try {
    const bound = expected !== undefined && { [MEDIA_HEADERS.expected]: String(expected) };
    response = await send(instance, path, { ...request, headers: { ...headers, ...bound } }, clock);
  } catch (error) {
    instance.end(call);
    request.signal.throwIfAborted();
    if (error instanceof UnreadableBody) throw error.cause;
    instance.failed(clock.now());
    return { isAnswer: false, mayHaveBegun: true, error };
  }
  const load = readLoad(response.headers.get(MEDIA_HEADERS.load));
  const refusal = response.headers.get(MEDIA_HEADERS.refused);
  // A failure without a load header comes from the platform or a proxy instead of the media worker.
  const isDown = refusal === 'ending' || (!load && isFailure(response.status));
  if (isDown) instance.failed(clock.now());
  else instance.answered(clock.now(), load, call);
  if (!isDown && !refusal) {
    return { isAnswer: true, response: endWith(response, () => instance.end(call)) };
  }
  instance.end(call);
  const isBusier = refusal === 'busier';
  return { isAnswer: false, mayHaveBegun: !refusal, isBusier, response };
}

/** The platform returns 429 while it cannot start another Container. */
const isFailure = (status: number) => status >= 500 || status === 429;

class UnreadableBody extends Error {}

/** Makes one attempt. Throws if the instance does not respond or, during the call, no longer responds on `/live`. */
async function send(
  instance: Instance,
  path: string,
  { method = 'GET', headers, body, signal: callSignal }: MediaRequest,
  clock: Clock,
): Promise<Response> {
  const over = new AbortController();
  const answered = new AbortController();
  const signal = AbortSignal.any([callSignal, over.signal]);
  const unreadable = Promise.withResolvers<never>();
  const fail = (error: unknown) => unreadable.reject(new UnreadableBody('', { cause: error }));
  const opened = typeof body === 'function' ? body({ signal, fail }) : body;
  try {
    return await Promise.race([
      instance.target(path, { method, headers, body: opened, signal }),
      unreadable.promise,
      untilItHangs(instance, clock, AbortSignal.any([callSignal, answered.signal])),
    ]);
  } catch (error) {
    over.abort(error);
    throw error;
  } finally {
    answered.abort();
  }
}

async function untilItHangs(instance: Instance, clock: Clock, signal: AbortSignal): Promise<never> {
  for (;;) {
    await clock.wait(LIVE_EVERY_MS, signal);
    if (!(await answersOk(instance, '/live', LIVE_LIMIT_MS, clock, signal))) {
      throw new Error('the media worker stopped responding');
    }
  }
}

/** Returns the first of these unhealthy instances that is ready again, and marks it as healthy. */
async function firstReady(
  instances: readonly Instance[],
  { signal }: MediaRequest,
  clock: Clock,
): Promise<Instance | undefined> {
  const checks = instances.map(async (instance) => {
    if (!(await answersOk(instance, '/ready', READY_LIMIT_MS, clock, signal))) throw noneHealthy();
    instance.answered(clock.now());
    return instance;
  });
  return Promise.any(checks).catch(() => undefined);
}

/** Whether the instance returns 200 within this time for a request without a body. Never throws. */
async function answersOk(
  instance: Instance,
  path: string,
  limitMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    const answer = instance.target(path, { signal: either }).then(async (response) => {
      await response.body?.cancel();
      return response.ok;
    });
    return await Promise.race([answer, clock.wait(limitMs, either).then(() => false)]);
  } catch {
    return false;
  } finally {
    over.abort();
  }
}

/**
 * Calls `end` when the instance's work is done. If the response reports progress, the work is done at the end of the
 * body, otherwise at its start.
 */
function endWith(response: Response, end: () => void): Response {
  if (!response.body || response.headers.get('Content-Type') !== PROGRESS_TYPE) {
    end();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  response.body
    .pipeTo(writable)
    .catch(() => undefined)
    .finally(end);
  return new Response(readable, response);
}

const noneHealthy = () =>
  unavailable('The media worker is not responding. Try again in a moment.', RETRY_SECONDS);
