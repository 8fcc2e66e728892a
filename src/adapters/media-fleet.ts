/**
 * Sends each call to a media worker that media-routing.ts chooses, and repeats it on another one if the first failed or
 * refused it before its answer began.
 */
import { currentCaller } from '../core/current-request.ts';
import { unavailable } from '../core/errors.ts';
import { MEDIA_HEADERS, PROGRESS_TYPE, readLoad } from '../core/media-headers.ts';
import type { MediaRouting, RoutedCall, RoutedInstance } from './media-routing.ts';

/** Sends a request to one media worker. */
export type SendToInstance = (path: string, init: RequestInit) => Promise<Response>;

/** Sends a request to the fleet. Throws a ToolError 503 if no instance is healthy, else what the last one threw. */
export type SendToMedia = (path: string, request: MediaRequest) => Promise<Response>;

export interface MediaRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** A stream is opened again for each attempt, because an attempt consumes it. */
  body?: string | ((attempt: Attempt) => ReadableStream<Uint8Array>);
  /** Whether a call that may already have had an effect must not be repeated. */
  isUnsafe?: boolean;
}

/** One attempt to send a body. */
export interface Attempt {
  /** Aborts when the attempt ends without an answer. */
  signal: AbortSignal;
  /** Ends the call with this error: the body cannot be read, which is not a fault of the instance. */
  fail(error: unknown): void;
}

/** Time and chance, so that tests can simulate them. */
export interface Clock {
  now(): number;
  random(): number;
  /** Rejects when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** How often a call is repeated. */
const REPEATS = 2;
/** How often a call chooses again because an instance had more calls than expected. Then it waits wherever it is sent. */
const CORRECTIONS = 4;
/** A call without an answer may be long, or its instance may hang: `/live` is asked again and again. */
const LIVE_EVERY_MS = 10_000;
const LIVE_LIMIT_MS = 10_000;
/** When all are sick, this many are asked whether they are ready again, within this time. */
const CHECKED = 2;
const READY_LIMIT_MS = 500;
/** Readiness is checked again by then. */
const RETRY_SECONDS = 5;

type Instance = RoutedInstance<SendToInstance>;

export function toFleet(routing: MediaRouting<SendToInstance>, clock: Clock): SendToMedia {
  return async (path, request) => {
    const continent = currentCaller()?.continent;
    const tried = new Set<Instance>();
    // How often an instance refused the call because it had more calls than this isolate knew of.
    let corrections = 0;
    // Begins the call at once, so that a call which is routed meanwhile sees it.
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
  /** The most calls there with which this one may wait. */
  expected: number | undefined;
}

type Outcome =
  | { isAnswer: true; response: Response }
  /** The instance refused the call or failed: `response` is what it said, or `error` was thrown. */
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
  // Without a load it is not the media worker that answers, but the platform or a proxy before it.
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

/** 429 is a Container that may not be started yet. */
const isFailure = (status: number) => status >= 500 || status === 429;

class UnreadableBody extends Error {}

/** Sends one attempt. Throws if the instance does not answer, or no longer answers `/live`. */
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
      throw new Error('the media worker does not answer any more');
    }
  }
}

/** The first of these sick instances that is ready; it counts as healthy then. */
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

/** Whether the instance answers 200 to a request without a body within this time. Never throws. */
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
 * An answer with progress begins long before its work ends: the call ends with the body. Other bodies begin when the
 * work is done.
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
