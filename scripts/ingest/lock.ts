/** One ingest at a time: two that write the same version would mix their rows. A row of the database says who writes. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './ingest.ts';

/** Longer than any statement takes; who died in the middle holds the others up so long. */
const LIFE_SECONDS = 30;
/** An ingest of 50,000 passages takes a minute. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 1000;

/** Takes the row where it is free, over, or one's own. By the database's clock, since two machines may differ. */
const TAKE = `INSERT INTO ingest_lock (id, holder, until) VALUES (1, ?, unixepoch() + ${LIFE_SECONDS})
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE until < unixepoch() OR holder = excluded.holder RETURNING holder`;

export class IngestLock {
  readonly #holder = randomBytes(8).toString('hex');
  readonly #target: Pick<Target, 'query'>;
  #renewed = 0;

  constructor(target: Pick<Target, 'query'>) {
    this.#target = target;
  }

  /** Waits until no other ingest writes. Throws where that takes longer than `patienceMs`. */
  async take(patienceMs = PATIENCE_MS): Promise<void> {
    const end = Date.now() + patienceMs;
    while (!(await this.#hold())) {
      if (Date.now() >= end) {
        throw new Error(
          `Another ingest has been writing the documents for ${Math.round(patienceMs / 1000)} seconds. Start this one again when that has ended.`,
        );
      }
      await sleep(Math.min(LOOK_MS, Math.max(1, end - Date.now())));
    }
  }

  /** Goes on holding it. Throws where this process stood still so long that another one took over. */
  async keep(): Promise<void> {
    if (Date.now() - this.#renewed < (LIFE_SECONDS * 1000) / 3) return;
    if (!(await this.#hold())) {
      throw new Error('Another ingest has taken over, since this one stood still.');
    }
  }

  /** Never throws: it ends by itself, and what went wrong before is what should be told. */
  async release(): Promise<void> {
    const sql = 'DELETE FROM ingest_lock WHERE holder = ?';
    await this.#target.query({ sql, values: [this.#holder] }).catch(() => {});
  }

  async #hold(): Promise<boolean> {
    this.#renewed = Date.now();
    return (await this.#target.query({ sql: TAKE, values: [this.#holder] })).length > 0;
  }
}
