/** Keeps D1 readable on a full disk: a failed write would close the database for its readers too. */
import { type DiskSpace, diskFull } from './disk-space.ts';

/** Any other statement may write: an INSERT may begin with WITH. */
const READS = /^\s*SELECT\b/i;

/** The same database, in which statements that write throw 503 while the disk is full. */
export function guardedDatabase(database: D1Database, disk: DiskSpace): D1Database {
  const guard = async () => {
    if (await disk.isFull()) throw diskFull();
  };
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: (...column: [string]) => guard().then(() => statement.first(...column)),
      run: () => guard().then(() => statement.run()),
      all: () => guard().then(() => statement.all()),
      raw: (...options: [never]) => guard().then(() => statement.raw(...options)),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare(query: string) {
      const statement = database.prepare(query);
      return READS.test(query) ? statement : wrap(statement);
    },
    async batch(statements: D1PreparedStatement[]) {
      if (statements.some((statement) => originals.has(statement))) await guard();
      return database.batch(statements.map((statement) => originals.get(statement) ?? statement));
    },
  } as D1Database;
}
