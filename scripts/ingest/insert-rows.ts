/** Many rows in few statements: as one JSON text each, since a statement costs more than its rows. */

export type Value = string | number;

export interface Statement {
  sql: string;
  values: Value[];
}

/** Characters of JSON a statement: D1 takes statements of 100 KB, where the text stands in them. */
const LONG = 50_000;

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
    if (length + text.length > LONG && gathered.length > 0) {
      yield { sql, values: [`[${gathered.join()}]`] };
      [gathered, length] = [[], 0];
    }
    gathered.push(text);
    length += text.length;
  }
  if (gathered.length > 0) yield { sql, values: [`[${gathered.join()}]`] };
}
