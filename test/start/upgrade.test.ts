/** State that an earlier release wrote (test/support/make-release-state.ts) is read by this version. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../scripts/local-database.ts';
import { confirmedByRelease, lostOf } from '../support/confirmed-calls.ts';
import { CLIENT, startGithub } from '../support/github-stand-in.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { signInWithGithub, unpackReleaseState } from '../support/release-state.ts';
import { body } from '../support/service.ts';

function releaseState() {
  const stateDir = mkdtempSync(join(tmpdir(), 'tools-release-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  return { stateDir, confirmed: unpackReleaseState(stateDir) };
}

it('keeps keys, accounts, links, files, and jobs that were in progress', async () => {
  const { stateDir, confirmed } = releaseState();
  const github = await startGithub();
  onTestFinished(() => github.close());
  const { child, baseUrl } = await startService({
    STATE_DIR: stateDir,
    GITHUB_CLIENT_ID: CLIENT.id,
    GITHUB_CLIENT_SECRET: CLIENT.secret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: `${github.url}/api`,
  });
  onTestFinished(() => stopService(child));
  expect(await lostOf(baseUrl, confirmedByRelease(confirmed))).toEqual([]);
  const headers = { Authorization: `Bearer ${confirmed.key}` };
  const { keys } = await body(await fetch(`${baseUrl}/api/v1/usage`, { headers }));
  expect(keys).toMatchObject([{ today: { limit: 7 } }]);
  github.user = confirmed.account.github;
  expect(await signInWithGithub(baseUrl)).toContain(confirmed.account.id);
});

it('fails if the migrations since that release are missing', async () => {
  const { stateDir, confirmed } = releaseState();
  const database = openDatabase(stateDir);
  const insert = database.prepare('INSERT OR IGNORE INTO d1_migrations (name) VALUES (?)');
  for (const name of readdirSync('migrations').filter((file) => file.endsWith('.sql')))
    insert.run(name);
  database.close();
  const { child, baseUrl } = await startService({ STATE_DIR: stateDir });
  onTestFinished(() => stopService(child));
  expect(await lostOf(baseUrl, confirmedByRelease(confirmed))).not.toEqual([]);
});
