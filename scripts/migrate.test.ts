import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { localBindings } from '../test/support/local-bindings.ts';
import { migrate, splitStatements } from './migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-migrations-'));
const miniflare = localBindings();
afterAll(async () => {
  await miniflare.dispose();
  rmSync(folder, { recursive: true });
});

describe('migrate', () => {
  it('applies each migration once, in order and in a transaction', async () => {
    const database = await miniflare.getD1Database('DB');
    writeFileSync(
      join(folder, '0001_first.sql'),
      'CREATE TABLE a (n INTEGER);\nINSERT INTO a VALUES (1);',
    );
    expect(await migrate(database, folder)).toEqual(['0001_first.sql']);
    expect(await migrate(database, folder)).toEqual([]);
    writeFileSync(
      join(folder, '0002_bad.sql'),
      'INSERT INTO a VALUES (2);\nINSERT INTO missing VALUES (1);',
    );
    await expect(migrate(database, folder)).rejects.toThrow(/missing/);
    const { results } = await database.prepare('SELECT n FROM a').all();
    expect(results).toEqual([{ n: 1 }]);
  });

  it('applies each migration once if two processes start on the same state', async () => {
    const database = await miniflare.getD1Database('DB');
    writeFileSync(join(folder, '0002_bad.sql'), 'CREATE TABLE b (n INTEGER);');
    const both = await Promise.all([migrate(database, folder), migrate(database, folder)]);
    expect(both.flat()).toEqual(['0002_bad.sql']);
  });

  it('keeps a trigger in one statement and removes comments', () => {
    const trigger = 'CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  DELETE FROM a;\nEND;';
    expect(splitStatements(`-- first;\nSELECT 1;\n${trigger}\n`)).toEqual(['SELECT 1;', trigger]);
  });
});
