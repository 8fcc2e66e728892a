import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { newRecoveryCodes, useRecoveryCode } from '../access/accounts/recovery-codes.ts';
import { D1Accounts } from './d1-accounts.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const accounts = new D1Accounts(env.ACCOUNTS, env.DB);

const passkey = (id: string, accountId: string) => ({
  id,
  accountId,
  name: 'a passkey',
  publicKey: 'AAAA',
  counter: 0,
  transports: ['internal'],
  createdAt: NOW,
});

beforeAll(() => applyMigrations(env));
beforeEach(async () => {
  await env.ACCOUNTS.exec('DELETE FROM accounts');
  await env.ACCOUNTS.exec('DELETE FROM passkey_challenges');
  await accounts.createWithPasskey('Ann', passkey('first', 'ann'));
});

describe('an account', () => {
  it('keeps its last sign-in method when two passkeys are removed concurrently', async () => {
    await accounts.addPasskey(passkey('second', 'ann'));
    const removed = await Promise.all([
      accounts.removePasskey('first', 'ann'),
      accounts.removePasskey('second', 'ann'),
    ]);
    expect(removed.sort()).toEqual([false, true]);
    expect(await accounts.passkeys('ann')).toHaveLength(1);
  });

  it('can remove its last passkey only with GitHub linked, and GitHub only with a passkey', async () => {
    await accounts.linkGithub({ id: '1', login: 'ann' }, 'ann', NOW);
    expect(await accounts.removePasskey('first', 'ann')).toBe(true);
    expect(await accounts.unlinkGithub('ann')).toBe(false);
    await accounts.addPasskey(passkey('second', 'ann'));
    expect(await accounts.unlinkGithub('ann')).toBe(true);
  });

  it('rejects a passkey that belongs to another account, and passkeys for deleted accounts', async () => {
    expect(await accounts.createWithPasskey('Bob', passkey('first', 'bob'))).toBe(false);
    expect(await accounts.find('bob')).toBeNull();
    expect(await accounts.addPasskey(passkey('third', 'bob'))).toBe(false);
  });
});

describe('an identity provider user', () => {
  const user = {
    issuer: 'https://login.example',
    subject: '42',
    email: 'a@b.example',
    name: 'Ada',
  };

  it('gets one account, even with concurrent sign-ins, and keeps it when the email changes', async () => {
    const ids = await Promise.all([
      accounts.findOrCreateByOidc(user, 'one', NOW),
      accounts.findOrCreateByOidc(user, 'two', NOW),
    ]);
    expect(ids[0]).toBe(ids[1]);
    const moved = { ...user, email: 'b@b.example' };
    expect(await accounts.findOrCreateByOidc(moved, 'three', NOW)).toBe(ids[0]);
    const elsewhere = { ...user, issuer: 'https://other.example' };
    expect(await accounts.findOrCreateByOidc(elsewhere, 'four', NOW)).toBe('four');
  });

  it('can remove the last passkey', async () => {
    const id = await accounts.findOrCreateByOidc(user, 'one', NOW);
    expect(await accounts.find(id)).toMatchObject({ name: 'Ada', singleSignOn: true });
    await accounts.addPasskey(passkey('only', id));
    expect(await accounts.removePasskey('only', id)).toBe(true);
  });
});

describe('a GitHub user', () => {
  const user = { id: '42', login: 'octo' };

  it('gets one account, even with concurrent sign-ins, and keeps it when the login changes', async () => {
    const ids = await Promise.all([
      accounts.findOrCreateByGithub(user, 'one', NOW),
      accounts.findOrCreateByGithub(user, 'two', NOW),
    ]);
    expect(ids[0]).toBe(ids[1]);
    const renamed = { ...user, login: 'octopus' };
    expect(await accounts.findOrCreateByGithub(renamed, 'three', NOW)).toBe(ids[0]);
    expect(await accounts.find(ids[0]!)).toMatchObject({ github: 'octopus' });
    expect(await env.ACCOUNTS.prepare('SELECT count(*) AS n FROM accounts').first('n')).toBe(2);
  });

  it('belongs to one account, and an account has one GitHub user', async () => {
    await accounts.findOrCreateByGithub(user, 'octo', NOW);
    expect(await accounts.linkGithub(user, 'ann', NOW)).toBe(false);
    expect(await accounts.linkGithub({ id: '43', login: 'ann' }, 'ann', NOW)).toBe(true);
    expect(await accounts.linkGithub({ id: '44', login: 'ann2' }, 'ann', NOW)).toBe(false);
  });
});

describe('a challenge', () => {
  const about = { purpose: 'sign-in' as const, accountId: '', name: '' };

  it('can be used once, even with two concurrent responses', async () => {
    await accounts.issueChallenge('c', about, NOW + 1);
    const taken = await Promise.all([
      accounts.takeChallenge('c', NOW),
      accounts.takeChallenge('c', NOW),
    ]);
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('is rejected once it expires, and then deleted', async () => {
    await accounts.issueChallenge('c', about, NOW);
    expect(await accounts.takeChallenge('c', NOW)).toBeNull();
    await accounts.issueChallenge('d', about, NOW);
    await accounts.cleanUp(NOW);
    expect(
      await env.ACCOUNTS.prepare('SELECT count(*) AS n FROM passkey_challenges').first('n'),
    ).toBe(0);
  });
});

describe('recovery codes', () => {
  it('number ten, work once each in any spelling, and are replaced by new ones', async () => {
    const codes = await newRecoveryCodes('ann', accounts, NOW, null);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/);
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')}\n`;
    expect(await useRecoveryCode(typed, accounts)).toBe('ann');
    await expect(useRecoveryCode(codes[0]!, accounts)).rejects.toMatchObject({ status: 401 });
    expect(await accounts.find('ann')).toMatchObject({ recoveryCodes: 9 });
    await newRecoveryCodes('ann', accounts, NOW + 1, NOW);
    await expect(useRecoveryCode(codes[1]!, accounts)).rejects.toMatchObject({ status: 401 });
  });

  it('are replaced once when the request is sent twice', async () => {
    await newRecoveryCodes('ann', accounts, NOW, null);
    const codes = await newRecoveryCodes('ann', accounts, NOW + 1, NOW);
    for (const replaced of [NOW, null, NOW + 5]) {
      await expect(newRecoveryCodes('ann', accounts, NOW + 2, replaced)).rejects.toMatchObject({
        status: 409,
      });
    }
    expect(await accounts.find('ann')).toMatchObject({
      recoveryCodes: 10,
      recoveryCodesMadeAt: NOW + 1,
    });
    expect(await useRecoveryCode(codes[0]!, accounts)).toBe('ann');
  });

  it('are stored only as hashes', async () => {
    const codes = await newRecoveryCodes('ann', accounts, NOW, null);
    const { results } = await env.ACCOUNTS.prepare('SELECT * FROM recovery_codes').all();
    for (const code of codes)
      expect(JSON.stringify(results)).not.toContain(code.replaceAll('-', ''));
  });
});

describe('the webhook attempt log', () => {
  const attempt = (job: number) => ({
    at: new Date(NOW).toISOString(),
    status: 500,
    jobId: `job-${job}`,
    address: 'https://hook.example/jobs',
  });

  it('lists the latest attempts of concurrent jobs, newest first', async () => {
    expect(await accounts.webhookAttempts('ann')).toEqual([]);
    await accounts.logWebhook('ann', attempt(0));
    const jobs = [1, 2, 3, 4];
    await Promise.all(jobs.map((job) => accounts.logWebhook('ann', attempt(job))));
    const logged = await accounts.webhookAttempts('ann');
    expect(logged.at(-1)).toEqual(attempt(0));
    expect(logged.map(({ jobId }) => jobId).toSorted()).toEqual(
      [0, ...jobs].map((job) => `job-${job}`),
    );
  });

  it('is limited in size and contains only complete attempts', async () => {
    for (let job = 0; job < 120; job++) await accounts.logWebhook('ann', attempt(job));
    const logged = await accounts.webhookAttempts('ann');
    expect(logged.length).toBeGreaterThan(20);
    expect(JSON.stringify(logged).length).toBeLessThan(8100);
    expect(logged).toEqual(logged.map((_, index) => attempt(119 - index)));
  });

  it('is private to its account and deleted with it', async () => {
    await accounts.createWithPasskey('Ben', passkey('third', 'ben'));
    await accounts.logWebhook('ann', attempt(1));
    expect(await accounts.webhookAttempts('ben')).toEqual([]);
    await accounts.delete('ann');
    await accounts.logWebhook('ann', attempt(2));
    expect(await accounts.webhookAttempts('ann')).toEqual([]);
  });
});
