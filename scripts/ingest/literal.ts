/** Statements with their values in them, for what takes SQL as text alone. */
import type { Statement, Value } from './insert-rows.ts';

/** In one line. */
export function literal({ sql, values }: Statement): string {
  let next = 0;
  return `${sql.replace(/\s+/g, ' ').replace(/\?/g, () => quoted(values[next++]!))};`;
}

const quoted = (value: Value): string =>
  typeof value === 'number'
    ? String(value)
    : `'${value.replaceAll("'", "''").replaceAll('\n', "'||char(10)||'")}'`;
