/**
 * Turns failures of D1 into 503. While the disk is full, writes are refused, because a failed write would also block
 * reads.
 */
import { type DiskSpace, diskFull } from './disk-space.ts';
import { guardOf } from './guard.ts';

/** Matches statements that only read. WITH is excluded, because it may begin an INSERT. */
const READS = /^\s*SELECT\b/i;

/** Matches the SQLite result codes for invalid statements (sqlite.org/rescode.html). */
const STATEMENT_FAULT = /\bSQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)/;

/**
 * Matches the error that occurs while another process, such as `npm run key`, writes to the database. workerd does not
 * wait for the lock.
 */
const LOCKED = /\bSQLITE_BUSY\b/;
/** The pauses between attempts, in milliseconds. A write by another process takes a few milliseconds. */
const PAUSES_MS = [5, 20, 50, 100, 200, 500, 1000];

/**
 * Wraps a database. All statements throw 503 while the database fails. Writes also throw 503 while the disk is full.
 */
export function guardedDatabase(database: D1Database, disk: DiskSpace): D1Database {
  const guard = guardOf('database', disk, (text) => STATEMENT_FAULT.test(text));
  const refuseWrites = async () => {
    if (await disk.isFull()) throw diskFull();
  };
  const originals = new WeakMap<D1PreparedStatement, [D1PreparedStatement, boolean]>();
  const wrap = (statement: D1PreparedStatement, writes: boolean): D1PreparedStatement => {
    const run = <T>(call: () => Promise<T>) =>
      guard(async () => {
        if (writes) await refuseWrites();
        return whenUnlocked(call);
      });
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), writes),
      first: (...column: [string]) => run(() => statement.first(...column)),
      run: () => run(() => statement.run()),
      all: () => run(() => statement.all()),
      raw: (...options: [never]) => run(() => statement.raw(...options)),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, [statement, writes]);
    return wrapped;
  };
  return {
    withSession: (start: D1SessionConstraint) =>
      guardedDatabase(database.withSession(start) as unknown as D1Database, disk),
    prepare: (query: string) => wrap(database.prepare(query), !READS.test(query)),
    batch: (wrapped: D1PreparedStatement[]) =>
      guard(async () => {
        const statements = wrapped.map((statement) => originals.get(statement)!);
        if (statements.some(([, writes]) => writes)) await refuseWrites();
        return whenUnlocked(() => database.batch(statements.map(([statement]) => statement)));
      }),
  } as unknown as D1Database;
}

/** Retries a call that failed because the database was locked. Such a call had no effect. */
async function whenUnlocked<T>(call: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await call();
    } catch (error) {
      if (!LOCKED.test(String(error))) throw error;
      await scheduler.wait(pause);
    }
  }
  return call();
}
