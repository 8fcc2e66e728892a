/** Turns failures of D1 into 503. Prevents writes to a full disk, because a failed write would also stop reads. */
import { type DiskSpace, diskFull } from './disk-space.ts';
import { guardOf } from './guard.ts';

/** Statements that only read. WITH is not among them, because it may begin an INSERT. */
const READS = /^\s*SELECT\b/i;

/** The result codes of an SQL error (sqlite.org/rescode.html) that name a fault of the statement. */
const STATEMENT_FAULT = /\bSQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)/;

/** The same database, whose statements throw 503 while it fails, and those that write while the disk is full. */
export function guardedDatabase(database: D1Database, disk: DiskSpace): D1Database {
  const guard = guardOf('database', disk, (text) => STATEMENT_FAULT.test(text));
  const refuseWrites = async () => {
    if (await disk.isFull()) throw diskFull();
  };
  const originals = new WeakMap<D1PreparedStatement, [D1PreparedStatement, boolean]>();
  const wrap = (statement: D1PreparedStatement, writes: boolean): D1PreparedStatement => {
    const run = <T>(call: () => Promise<T>) =>
      guard(writes ? () => refuseWrites().then(call) : call);
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
        return database.batch(statements.map(([statement]) => statement));
      }),
  } as unknown as D1Database;
}
