/**
 * Cleans up the database in portions, because D1 runs one statement at a time and a long statement would delay all
 * calls.
 */

/** The limit on the rows that one clean-up statement changes. The SQL must contain the same limit. */
export const PORTION = 1000;
/** The limit on portions per run. The remaining rows are left for the next run. */
const MAX_PORTIONS = 50;

/**
 * Runs the statement repeatedly until it changes fewer rows than a full portion. Returns the total number of changed
 * rows.
 */
export async function inPortions(statement: D1PreparedStatement): Promise<number> {
  let changed = 0;
  for (let portion = 0; portion < MAX_PORTIONS; portion += 1) {
    const { meta } = await statement.run();
    changed += meta.changes;
    if (meta.changes < PORTION) break;
  }
  return changed;
}

/**
 * Deletes the rows of a table that meet a condition on `?1`. `key` is the primary key of the table, which may have
 * several columns.
 */
export const deletePortions = (
  database: D1Database,
  table: string,
  key: string,
  condition: string,
  value: unknown,
): Promise<number> =>
  inPortions(
    database
      .prepare(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${PORTION})`,
      )
      .bind(value),
  );
