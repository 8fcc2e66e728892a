/**
 * Cleans up the database in portions, because D1 runs one statement at a time and a long statement would delay all
 * calls.
 */

/** The limit on rows that one statement of a clean-up changes. The SQL must use the same limit. */
export const PORTION = 1000;
/** The limit on portions per run. Further rows wait for the next run. */
const MOST_PORTIONS = 50;

/** Runs the statement until it changes fewer rows than a portion. Returns the number of changed rows. */
export async function inPortions(statement: D1PreparedStatement): Promise<number> {
  let changed = 0;
  for (let portion = 0; portion < MOST_PORTIONS; portion += 1) {
    const { meta } = await statement.run();
    changed += meta.changes;
    if (meta.changes < PORTION) break;
  }
  return changed;
}

/**
 * Deletes the rows of a table that meet a condition on `?1`. `key` is its primary key, which may have several columns.
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
