/** Finds the tables of a page by the lines around their cells and by the positions of words. */
import type { Box } from '../../pdf/page-space.ts';
import { around } from './boxes.ts';
import { horizontalLines } from './crossing-lines.ts';
import { type RuledTable, ruledTables } from './ruled-tables.ts';
import type { StyledWord } from './styled-words.ts';
import { type FoundTable, findTables } from './tables.ts';

/**
 * Returns the tables of a page. Those that are found by their columns take precedence over unreliable ruled tables.
 * Each word belongs to at most one table. If a table is within a cell of another one, the one with more cells is
 * returned.
 */
export function tablesOf(
  words: readonly StyledWord[],
  withLines: readonly RuledTable[],
  rules: readonly Box[],
): FoundTable[] {
  const ruled = withLines.toSorted((a, b) => cellsOf(b) - cellsOf(a));
  const tables: FoundTable[] = [];
  const taken = new Set<StyledWord>();
  const add = (table: FoundTable) => {
    if (!taken.isDisjointFrom(table.words)) return;
    tables.push(table);
    for (const word of table.words) taken.add(word);
  };
  for (const table of ruled) if (table.isReliable) add(table);
  const remaining = words.filter((word) => !taken.has(word));
  for (const table of findTables(remaining, horizontalLines(rules))) add(table);
  for (const table of ruled) if (!table.isReliable) add(table);
  return tables;
}

const cellsOf = ({ rows }: FoundTable) => rows.length * (rows[0]?.length ?? 0);

/** Whether a table was found by the lines around its cells. */
export const isRuled = (table: FoundTable): table is RuledTable => 'isReliable' in table;

/** Returns the table of each word. */
export const tableByWord = (tables: readonly FoundTable[]): Map<StyledWord, FoundTable> =>
  new Map(tables.flatMap((table) => Array.from(table.words, (word) => [word, table] as const)));

/**
 * Divides words into tables and the text between them. Each table is at its first word, unless `placed` contains it.
 * Adds the tables to `placed`.
 */
export function tablesAndText<Part>(
  words: readonly StyledWord[],
  tableOf: ReadonlyMap<StyledWord, FoundTable>,
  placed: Set<FoundTable>,
  partOfTable: (table: FoundTable) => Part,
  partsOfText: (words: readonly StyledWord[]) => Part[],
): Part[] {
  const parts: Part[] = [];
  let pending: StyledWord[] = [];
  const flush = () => {
    if (pending.length > 0) for (const part of partsOfText(pending)) parts.push(part);
    pending = [];
  };
  for (const word of words) {
    const table = tableOf.get(word);
    if (!table) pending.push(word);
    else if (!placed.has(table)) {
      flush();
      placed.add(table);
      parts.push(partOfTable(table));
    }
  }
  flush();
  return parts;
}

/** The maximum number of steps back in the order of the words, per row of a table. */
const MAX_STEPS_BACK = 0.25;
/** The maximum distance in points between the words of a table and the lines above and below it. */
const MAX_PADDING = 100;
/** After this many lines, no lines are returned for further places on a page. A line counts once for each place. */
const MAX_NEAR_LINES = 30_000;

/**
 * Returns a function that returns the lines near words. After many lines, it returns none, because a page may have
 * thousands of lines, and thousands of places near them that may be tables.
 */
export function linesNear(rules: readonly Box[]): (words: readonly StyledWord[]) => Box[] {
  let remaining = MAX_NEAR_LINES;
  return (words) => {
    if (remaining <= 0) return [];
    const { top, bottom } = around(words);
    const near = rules.filter(
      (rule) => rule.bottom > top - MAX_PADDING && rule.top < bottom + MAX_PADDING,
    );
    remaining -= near.length;
    return near;
  };
}

/**
 * Returns the tables whose words are consecutive in `words`, and in order of their rows. Two blocks that are side by
 * side, such as addresses, look like a table, but the words of one block follow those of the other. `near` are the
 * lines near the words.
 */
export function consecutiveTables(
  words: readonly StyledWord[],
  near: readonly Box[],
): FoundTable[] {
  const positions = new Map(words.map((word, at) => [word, at]));
  return tablesOf(words, ruledTables(words, near), near).filter((table) => {
    const indexes = [...table.words].map((word) => positions.get(word)!);
    const sorted = indexes.toSorted((a, b) => a - b);
    const stepsBack = indexes.slice(1).filter((index, at) => index < indexes[at]!).length;
    const isConsecutive = sorted.at(-1)! - sorted[0]! + 1 === indexes.length;
    return isConsecutive && stepsBack <= table.rows.length * MAX_STEPS_BACK;
  });
}
