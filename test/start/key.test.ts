import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasTable } from '../../scripts/local-database.ts';
import { serviceEnvironment } from '../support/global-setup.ts';
import { fetchOnce } from '../support/patient-fetch.ts';
import { baseUrl, body, stateDir } from '../support/service.ts';

const key = (words: string[], STATE_DIR = stateDir) =>
  spawnSync(process.execPath, ['scripts/key.ts', ...words], {
    encoding: 'utf8',
    env: serviceEnvironment({ STATE_DIR }),
  });

/** Opens the database that contains this table while the service uses it in another process. */
function databaseWith(table: string): DatabaseSync {
  for (const path of globSync('v3/d1/*/*.sqlite', { cwd: stateDir })) {
    const database = new DatabaseSync(join(stateDir, path));
    if (hasTable(database, table)) return database;
    database.close();
  }
  throw new Error(`no database has ${table}`);
}

describe('another process that writes to a database', () => {
  it('delays calls of the service and fails none', async () => {
    const database = databaseWith('short_links');
    database.exec('BEGIN IMMEDIATE');
    const shorten = () =>
      fetchOnce(`${baseUrl}/api/v1/tools/shorten_url`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: `https://example.com/${crypto.randomUUID()}` }),
      });
    const calls = Array.from({ length: 5 }, shorten);
    await sleep(300);
    database.exec('COMMIT');
    database.close();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  });
});

describe('npm run key', () => {
  it('prints only a key on stdout, which the running service accepts immediately', async () => {
    const { stdout, status } = key(['--account', 'The operator', '--requests-per-day', '7']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^tsk_[0-9A-Za-z]{38}\n$/);
    const response = await fetch(`${baseUrl}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${stdout.trim()}` },
    });
    expect(response.status).toBe(200);
    const { keys } = await body(response);
    expect(keys).toMatchObject([{ name: 'operator key', today: { limit: 7, remaining: 7 } }]);
  });

  it('lists keys and revokes one, which the running service then refuses', async () => {
    const made = key(['--account', 'Listed']).stdout.trim();
    const display = `${made.slice(0, 8)}…${made.slice(-4)}`;
    expect(key(['--list', '--account', 'Listed']).stdout).toContain(`${display}\tactive\tListed`);
    const call = () =>
      fetch(`${baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${made}` } });
    expect((await call()).status).toBe(200);
    expect(key(['--revoke', display]).stdout).toContain(`${display}\trevoked`);
    const again = key(['--revoke', display]);
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('No active key matches');
    await expect
      .poll(async () => (await body(await call())).code, { interval: 500 })
      .toBe('key_revoked');
  });

  it('prints its usage for a missing or unknown argument', () => {
    for (const words of [[], ['--acount', 'x'], ['x']]) {
      const { stdout, stderr, status } = key(words);
      expect(status).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain('Usage: npm run key');
    }
  });

  it('says what to do first if the service has never run', () => {
    const empty = mkdtempSync(join(tmpdir(), 'tools-empty-'));
    const { stderr, stdout, status } = key(['--account', 'x'], empty);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('Run this first: npm start');
    rmSync(empty, { recursive: true });
  });
});
