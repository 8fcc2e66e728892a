/** Checks that this version can read the state of an earlier release (test/support/make-release-state.ts). */
import { mkdtempSync, rmSync } from 'node:fs';
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

it('an upgrade keeps keys, accounts, sessions, links, files, uploads, responses and running jobs', async () => {
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
  const { page } = await signInWithGithub(baseUrl);
  expect(page).toContain(confirmed.account.id);
  // The cookie's name contains the port. A real upgrade would not change the port.
  const Cookie = confirmed.session.replaceAll(/-\d+=/g, `-${new URL(baseUrl).port}=`);
  const signedIn = await fetch(`${baseUrl}/developers`, { headers: { Cookie } });
  expect(await signedIn.text()).toContain(confirmed.account.id);
  const { idempotencyKey, body: sent, response } = confirmed.repeatable;
  const repeated = await fetch(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    },
    body: sent,
  });
  expect(JSON.stringify(await body(repeated))).toBe(response);
  const uploaded = await fetch(baseUrl + confirmed.uploadAddress, { method: 'PUT', body: 'later' });
  const { url } = await body(uploaded);
  expect(await (await fetch(baseUrl + new URL(url).pathname)).text()).toBe('later');
});

it('the check finds a link that an upgrade loses', async () => {
  const { stateDir, confirmed } = releaseState();
  const database = openDatabase(stateDir);
  database.exec('DELETE FROM short_links');
  database.close();
  const { child, baseUrl } = await startService({ STATE_DIR: stateDir });
  onTestFinished(() => stopService(child));
  expect(await lostOf(baseUrl, confirmedByRelease(confirmed))).toEqual([
    `${confirmed.link[0]} 404`,
  ]);
});
