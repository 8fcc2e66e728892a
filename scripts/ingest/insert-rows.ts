/** Many rows in few statements: as one JSON text each, since a statement costs more than its rows. */

export type Value = string | number;

export interface Statement {
  sql: string;
  values: Value[];
}

/** Bytes of values in a statement, as they are quoted: D1 takes statements of 100,000 in all. */
const LONG = 80_000;

export function* insertRows(
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Generator<Statement> {
  const fields = columns.map((_, index) => `value ->> ${index}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${fields.join(', ')} FROM json_each(?)`;
  let gathered: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const size = sizeOf(text);
    if (size > LONG)
      throw new Error(`a row of ${table} is longer than a statement may be: ${text.slice(0, 80)}…`);
    if (length + size > LONG && gathered.length > 0) {
      yield { sql, values: [`[${gathered.join()}]`] };
      [gathered, length] = [[], 0];
    }
    gathered.push(text);
    length += size;
  }
  if (gathered.length > 0) yield { sql, values: [`[${gathered.join()}]`] };
}

/** A quote is doubled, and a comma follows. */
const sizeOf = (text: string): number =>
  Buffer.byteLength(text) + (text.match(/'/g)?.length ?? 0) + 1;
