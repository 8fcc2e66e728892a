/** Runs jobs as Durable Objects, one object for each job. If an object fails, the call gets 503. */

import { gzip } from '../core/gzip.ts';
import { JOB_LIFE_MS, type Jobs, type NewJob } from '../core/jobs.ts';
import { RECORD_BYTES, type StorageBudget } from '../core/stored-bytes.ts';
import { newFileId } from '../lib/file-id.ts';
import type { DiskSpace } from './disk-space.ts';
import { type Guard, guardOf } from './guard.ts';

export class DurableJobs implements Jobs {
  readonly #namespace: Cloudflare.Env['JOBS'];
  readonly #budget: StorageBudget;
  readonly #guard: Guard;

  constructor(namespace: Cloudflare.Env['JOBS'], budget: StorageBudget, disk: DiskSpace) {
    this.#namespace = namespace;
    this.#budget = budget;
    this.#guard = guardOf('job store', disk);
  }

  async create(job: NewJob): Promise<string> {
    const end = Date.now() + JOB_LIFE_MS;
    const id = newFileId(end);
    const call = await gzip(new TextEncoder().encode(job.call));
    const reservation = this.#budget.reservation(job.caller, end);
    try {
      await reservation.add(call.byteLength + RECORD_BYTES);
      await this.#guard(() => this.#namespace.getByName(id).create(id, { ...job, call, end }));
    } catch (error) {
      await reservation.release();
      throw error;
    }
    return id;
  }

  async read(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null> {
    return this.#guard(() => this.#namespace.getByName(id).read(owner));
  }

  async watch(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null> {
    return this.#guard(() => this.#namespace.getByName(id).watch(owner));
  }

  async remove(id: string, owner: string | null): Promise<boolean> {
    return this.#guard(() => this.#namespace.getByName(id).remove(owner));
  }
}
