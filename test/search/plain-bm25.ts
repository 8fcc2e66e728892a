/**
 * Implements the baseline for search: SQLite's BM25 with stemming, over the titles, headings and text of the same
 * passages.
 */
import { DatabaseSync } from 'node:sqlite';
import { splitPassages } from '../../src/content/split-passages.ts';
import { wordsOf } from '../../src/content/terms.ts';
import type { ContentDocument } from '../../src/core/content.ts';

/** The number of passages to read. It is large enough to find ten different documents. */
const DEPTH = 100;

/**
 * Returns a function that finds passages containing any word of a question, and returns their paths, best match first.
 */
export function plainBm25(documents: readonly ContentDocument[]): (query: string) => string[] {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE passages USING fts5 (path UNINDEXED, title, heading, text, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare('INSERT INTO passages VALUES (?, ?, ?, ?)');
  for (const { path, title, markdown } of documents) {
    for (const { heading, text } of splitPassages(markdown)) insert.run(path, title, heading, text);
  }
  const find = database.prepare(
    `SELECT path FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT ${DEPTH}`,
  );
  return (query) => {
    const words = [...new Set(wordsOf(query))].map((word) => `"${word}"`);
    return words.length > 0 ? find.all(words.join(' OR ')).map(({ path }) => String(path)) : [];
  };
}
