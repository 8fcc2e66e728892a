/** Recognizes the labels of list items and numbered clauses beside their text. */
import { BULLET } from './page-lines.ts';

const LETTER = /^\(?(?:[a-z]|[ivxlc]{1,6})[.)]$/i;
/** Matches the number of a clause, such as `2.1`. Prices and times have the same form, but are seldom in sequence. */
const CLAUSE = /^(?:\d{1,3}\.){1,4}(\d{1,3})\.?$/;

/** Whether all texts are bullets, letters or numbers of list items, or numbers of clauses that follow each other. */
export const areListLabels = (texts: readonly string[]): boolean =>
  texts.every(
    (text, at) => BULLET.test(text) || LETTER.test(text) || isNextClause(texts[at - 1], text),
  );

/** Matches a cell that begins with a bullet. Dashes and asterisks are not included, because they may be footnotes. */
const BULLETED_CELL = /^[•◦▪‣⁃●○■□▶]\s/u;

/** Whether at least half of the cells with text are items with bullets. They belong to lists that are side by side. */
export function areListsInColumns(rows: readonly (readonly string[])[]): boolean {
  const cells = rows.flat().filter((text) => text !== '');
  return cells.filter((text) => BULLETED_CELL.test(text)).length * 2 >= cells.length;
}

function isNextClause(before: string | undefined, text: string): boolean {
  const [[, last], [, next]] = [CLAUSE.exec(before ?? '') ?? [], CLAUSE.exec(text) ?? []];
  if (next === undefined) return false;
  return last === undefined || Number(next) === Number(last) + 1 || Number(next) === 1;
}
