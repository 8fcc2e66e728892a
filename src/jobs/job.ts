/**
 * The Durable Object of one job. The job runs in the object's alarm, which the platform retries if the isolate or the
 * machine crashes.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Caller } from '../core/caller.ts';
import type { Webhook } from '../core/jobs.ts';
import { MAX_STORED_JSON_BYTES, OUTPUT_LIFE_SECONDS } from '../core/limits.ts';
import { storedBy } from '../core/stored-bytes.ts';
import { type Failure, failureOf } from '../execute/failure.ts';
import { sizeOfJson } from '../execute/result-size.ts';
import { logCause } from '../lib/log.ts';
import { networkOf } from '../lib/network.ts';
import { type Services, servicesOf } from '../services.ts';
import { describeJob, RESULT, type Running, utf8 } from './describe-job.ts';
import {
  afterInterruption,
  isInterruption,
  isOver,
  type PackedJob,
  refusalOf,
  type State,
} from './job-state.ts';
import { runAttempt } from './run-attempt.ts';
import type { Outcome } from './run-call.ts';
import { Slots } from './slots.ts';
import { dropText, packed, storedText, storeText } from './stored-text.ts';
import { lastAttempt, pauseBeforeNext, postWebhook } from './webhook.ts';

const KEY = 'job';
const CALL = 'call';
/**
 * The interval in milliseconds at which a waiting job checks for a slot, in case the job that should wake it is lost.
 */
const RETRY_MS = 60_000;
/**
 * The delay before an interrupted job's slot is released, in milliseconds. It prevents the waiting jobs from all using
 * the failed part of the service at once.
 */
const BREATH_MS = 1000;
const HEARTBEAT_MS = 15_000;

/** The slots that all jobs of this isolate share. */
const slots = new Slots();
/** A trial key does not count as an owner, because anyone can create one. */
const slotOwner = ({ accountId, address }: Caller) => accountId ?? networkOf(address);

export class Job extends DurableObject<Cloudflare.Env> {
  readonly #kv = this.ctx.storage.kv;
  #state: State | undefined;
  #running: Running = { progress: 0 };
  #work: AbortController | undefined;
  #change = Promise.withResolvers<void>();

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#state = this.#kv.get<State>(KEY);
  }

  async create(id: string, { call, ...job }: PackedJob): Promise<void> {
    storeText(this.#kv, CALL, call);
    const createdAt = Date.now();
    this.#save({
      ...job,
      id,
      createdAt,
      status: 'queued',
      attempts: 0,
      outputs: [],
      callBytes: call.byteLength,
      resultBytes: 0,
    });
    // Setting an alarm costs two writes to the disk, so a job without a slot sets only the later alarm.
    const wait = slots.take(id, slotOwner(job.caller), createdAt) ? 0 : RETRY_MS;
    await this.ctx.storage.setAlarm(createdAt + wait);
  }

  /** Returns the job as a stream, because a result may exceed the size limit of RPC values. */
  async read(owner: string | null): Promise<ReadableStream<Uint8Array> | null> {
    const state = this.#of(owner);
    return state ? new Blob(await describeJob(state, this.#running, this.#kv)).stream() : null;
  }

  watch(owner: string | null): ReadableStream<Uint8Array> | null {
    if (!this.#of(owner)) return null;
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    // Writing fails when the client disconnects. After other errors, the client must not hang.
    this.#report(writer).catch((error) => writer.abort(error).catch(() => {}));
    return readable;
  }

  async remove(owner: string | null): Promise<boolean> {
    const state = this.#of(owner);
    if (!state) return false;
    const { storage, budget } = servicesOf(this.env);
    if (isOver(state)) {
      await storage.remove(state.outputs);
      await budget.freed(state.resultBytes, state.end, storedBy(state.caller));
      await this.#forget();
      return true;
    }
    const work = this.#work;
    const ending = this.#end({ ...state, status: 'cancelled' });
    // Deleting the inputs may fail.
    work?.abort(new Error('the job was cancelled'));
    await ending;
    if (!work) await this.#leave(state.id);
    return true;
  }

  /** Starts the job, which now has a slot. Returns false if the job no longer needs one. */
  async wake(): Promise<boolean> {
    if (this.#state?.status !== 'queued') return false;
    await this.ctx.storage.setAlarm(Date.now());
    return true;
  }

  override async alarm(): Promise<void> {
    const state = this.#state;
    if (!state) return;
    if (isOver(state)) {
      if (state.webhook && pauseBeforeNext(state.webhook) !== null)
        await this.#post(state, state.webhook);
      else await this.#forget();
      return;
    }
    // A job that is already running when its alarm starts was interrupted.
    if (state.status === 'running') this.#save({ ...state, status: 'queued' });
    const now = Date.now();
    const refusal = refusalOf(state, now);
    if (!refusal && !slots.take(state.id, slotOwner(state.caller), now)) {
      await this.ctx.storage.setAlarm(now + RETRY_MS);
      return;
    }
    const services = servicesOf(this.env);
    try {
      if (refusal) await this.#fail(state, refusal);
      else await this.#attempt(state, services);
    } finally {
      await this.#leave(state.id);
    }
  }

  async #attempt(before: State, services: Services): Promise<void> {
    const state: State = { ...before, status: 'running', attempts: before.attempts + 1 };
    this.#running = { progress: 0 };
    this.#save(state);
    const work = new AbortController();
    this.#work = work;
    const large = services.largeCalls.of(state.caller, () => work.signal);
    try {
      // The state is saved before the work begins. An attempt that crashes the isolate is therefore counted and not
      // repeated endlessly.
      await this.ctx.storage.sync();
      work.signal.throwIfAborted();
      const outcome = await runAttempt(state, await storedText(this.#kv, CALL), {
        services,
        large,
        cancelled: work.signal,
        waitUntil: (promise) => this.ctx.waitUntil(promise),
        progress: (fraction, message) => {
          const progress = Math.max(this.#running.progress, Math.min(1, fraction));
          this.#running = { progress, message };
          this.#notify();
        },
      });
      await this.#finish(state, outcome, services);
    } catch (thrown) {
      await this.#failOrRepeat(state, thrown);
    } finally {
      large.end();
      this.#work = undefined;
    }
  }

  async #finish(state: State, outcome: Outcome, services: Services): Promise<void> {
    const { storage } = services;
    if (outcome.thrown !== undefined && isInterruption(outcome.thrown, state)) {
      await storage.remove(outcome.outputs);
      throw outcome.thrown;
    }
    if (this.#state?.status !== 'running') {
      await storage.remove(outcome.outputs);
      return;
    }
    const text = JSON.stringify(outcome.value);
    const result = await packed(text);
    const reservation = services.budget.reservation(state.caller, state.end);
    try {
      sizeOfJson(text, MAX_STORED_JSON_BYTES);
      await reservation.add(result.byteLength);
    } catch (refusal) {
      await storage.remove(outcome.outputs);
      // The work succeeded, but its result cannot be stored. Another attempt would also fail.
      return this.#fail(state, refusal);
    }
    if (this.#state?.status !== 'running') {
      await Promise.all([reservation.release(), storage.remove(outcome.outputs)]);
      return;
    }
    storeText(this.#kv, RESULT, result);
    const over: State = {
      ...state,
      status: 'succeeded',
      resultBytes: result.byteLength,
      warnings: [...state.warnings, ...outcome.warnings],
      outputs: outcome.outputs,
    };
    const failed = outcome.thrown !== undefined && {
      status: 'failed' as const,
      error: this.#failure(outcome.thrown),
    };
    await this.#end({ ...over, ...failed });
  }

  async #fail(state: State, thrown: unknown): Promise<void> {
    await this.#end({ ...state, status: 'failed', error: this.#failure(thrown) });
  }

  async #failOrRepeat(state: State, thrown: unknown): Promise<void> {
    if (this.#state?.status !== 'running') return;
    if (!isInterruption(thrown, state)) return this.#fail(state, thrown);
    const next = afterInterruption(state, thrown);
    this.#save(next.state);
    await this.ctx.storage.setAlarm(Date.now() + next.seconds * 1000);
    await scheduler.wait(BREATH_MS);
  }

  #failure(thrown: unknown): Failure {
    return failureOf(thrown, this.#state?.id ?? '');
  }

  /** Finishes the job. Its inputs are deleted. Its outputs remain stored until they expire or the job is removed. */
  async #end(state: State): Promise<void> {
    const { storage, budget } = servicesOf(this.env);
    dropText(this.#kv, CALL);
    const forgetAt = Date.now() + OUTPUT_LIFE_SECONDS * 1000;
    this.#save({ ...state, forgetAt });
    await this.ctx.storage.setAlarm(state.webhook ? Date.now() : forgetAt);
    await storage.remove(state.inputs);
    await budget.freed(state.callBytes, state.end, storedBy(state.caller));
  }

  /** Posts the finished job to its webhook. Sets the alarm for the next attempt or for the deletion of the job. */
  async #post(state: State, webhook: Webhook): Promise<void> {
    const { ports, accounts } = servicesOf(this.env);
    const { webhook: _, ...job } = state;
    const body = new Uint8Array(
      await new Blob(await describeJob(job, this.#running, this.#kv)).arrayBuffer(),
    );
    const attempt = await postWebhook(webhook, state.id, body, ports.egress, Date.now());
    // The job may have been removed during the post.
    if (this.#state !== state) return;
    const posted = { ...webhook, attempts: [...webhook.attempts, attempt] };
    this.#save({ ...state, webhook: posted });
    const now = Date.now();
    const pause = pauseBeforeNext(posted);
    await this.ctx.storage.setAlarm(pause === null ? state.forgetAt! : now + pause);
    const { accountId } = state.caller;
    if (accountId === undefined) return;
    // The webhook must not fail if the attempt cannot be logged.
    await accounts
      .logWebhook(accountId, lastAttempt(posted, state.id, now, pause))
      .catch((error: unknown) => logCause(state.id, error));
  }

  async #leave(id: string): Promise<void> {
    const wakes = slots.leave(id, Date.now()).map(async (next) => {
      const isThere = await this.env.JOBS.getByName(next)
        .wake()
        .catch(() => false);
      if (!isThere) await this.#leave(next);
    });
    await Promise.all(wakes);
  }

  async #forget(): Promise<void> {
    this.#state = undefined;
    await this.ctx.storage.deleteAll();
    this.#notify();
  }

  #of(owner: string | null): State | undefined {
    const state = this.#state;
    return state && (state.owner === null || state.owner === owner) ? state : undefined;
  }

  #save(state: State): void {
    this.#state = state;
    this.#kv.put(KEY, state);
    this.#notify();
  }

  #notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }

  /**
   * Sends the job after each change, as fast as the client reads. If the client reads slowly, intermediate changes are
   * skipped.
   */
  async #report(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    for (;;) {
      const change = this.#change.promise.then(() => true);
      const state = this.#state;
      if (!state) break;
      const event = isOver(state) ? 'end' : 'progress';
      await writer.write(utf8(`event: ${event}\ndata: `));
      for (const piece of await describeJob(state, this.#running, this.#kv))
        await writer.write(piece);
      await writer.write(utf8('\n\n'));
      if (isOver(state)) break;
      while (!(await Promise.race([change, scheduler.wait(HEARTBEAT_MS)]))) {
        await writer.write(utf8(': at work\n\n'));
      }
    }
    await writer.close();
  }
}
