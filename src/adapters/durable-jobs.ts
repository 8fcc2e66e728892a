/** The jobs as Durable Objects: one for each. */
import type { Jobs, NewJob } from '../core/jobs.ts';
import { newFileId } from '../lib/file-id.ts';

/** A day for the result, and two hours within which every job is over. */
const LIFE_MS = 26 * 3600 * 1000;

export class DurableJobs implements Jobs {
  readonly #namespace: Cloudflare.Env['JOBS'];

  constructor(namespace: Cloudflare.Env['JOBS']) {
    this.#namespace = namespace;
  }

  async create(job: NewJob): Promise<string> {
    const id = newFileId(Date.now() + LIFE_MS);
    await this.#namespace.getByName(id).create(id, job);
    return id;
  }

  async read(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null> {
    return this.#namespace.getByName(id).read(owner);
  }

  async watch(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null> {
    return this.#namespace.getByName(id).watch(owner);
  }

  async remove(id: string, owner: string | null): Promise<boolean> {
    return this.#namespace.getByName(id).remove(owner);
  }
}
