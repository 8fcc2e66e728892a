import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../../test/support/apply-migrations.ts';
import { D1Sessions } from '../../adapters/d1-sessions.ts';
import { beginSession, endSession, sessionOf } from './sessions.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const sessions = new D1Sessions(env.ACCOUNTS);

const request = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Request(url, { method, headers });

/** Returns the `Cookie` header that a browser sends after this `Set-Cookie`. */
const cookieIn = (header: string) => header.split(';', 1)[0]!;

beforeAll(() => applyMigrations(env));
beforeEach(async () => {
  await env.ACCOUNTS.exec('DELETE FROM accounts');
  await env.ACCOUNTS.exec("INSERT INTO accounts (id, name, created_at) VALUES ('ann', 'Ann', 0)");
});

describe('a session', () => {
  const URL = 'https://tools.example/api/v1/tools/execute';
  const begin = async () => cookieIn(await beginSession(request(URL), 'ann', sessions, NOW));

  it('stores only the hash of its cookie', async () => {
    const cookie = await begin();
    const { results } = await env.ACCOUNTS.prepare('SELECT * FROM sessions').all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(cookie.split('=')[1]);
  });

  it('expires after exactly 30 days', async () => {
    const Cookie = await begin();
    const at = (now: number) => sessionOf(request(URL, { Cookie }), sessions, now);
    expect(await at(NOW + 30 * DAY - 1)).toMatchObject({ accountId: 'ann' });
    expect(await at(NOW + 30 * DAY)).toBeNull();
  });

  it('is valid on a server whose clock is behind', async () => {
    const Cookie = await begin();
    expect(await sessionOf(request(URL, { Cookie }), sessions, NOW - 60_000)).not.toBeNull();
  });

  it('reads its cookie by exact name among other cookies', async () => {
    const cookie = await begin();
    const [name, value] = cookie.split('=');
    for (const [Cookie, found] of [
      [`a=b; ${cookie}; c=d`, true],
      [`x${cookie}`, false],
      [`session=${value}`, false],
      [`${name}=`, false],
      [`${name}=${value}x`, false],
      // The value is in quotes, which cookies allow (RFC 6265 §4.1.1).
      [`${name}="${value}"`, true],
      [`${name}=' OR 1=1 --`, false],
      ['', false],
    ] as const) {
      const session = await sessionOf(request(URL, { Cookie }), sessions, NOW);
      expect(session !== null, Cookie).toBe(found);
    }
  });

  it('skips the lookup for a malformed cookie', async () => {
    const find = vi.fn();
    await sessionOf(request(URL, { Cookie: '__Host-session=short' }), { find }, NOW);
    await sessionOf(request(URL), { find }, NOW);
    expect(find).not.toHaveBeenCalled();
  });

  it.each([
    ['POST', { 'Sec-Fetch-Site': 'same-origin' }, true],
    ['POST', { 'Sec-Fetch-Site': 'none' }, true],
    ['POST', { Origin: 'https://tools.example' }, true],
    ['POST', {}, true],
    ['GET', { 'Sec-Fetch-Site': 'cross-site' }, true],
    ['POST', { 'Sec-Fetch-Site': 'cross-site' }, false],
    ['POST', { 'Sec-Fetch-Site': 'same-site' }, false],
    ['POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://tools.example' }, false],
    ['POST', { Origin: 'https://evil.example' }, false],
    ['POST', { Origin: 'https://tools.example.evil.example' }, false],
    ['POST', { Origin: 'https://tools.example:8443' }, false],
    ['POST', { Origin: 'null' }, false],
    ['DELETE', { Origin: 'https://evil.example' }, false],
  ] as const)('accepts its cookie on %s with %j: %s', async (method, headers, carried) => {
    const Cookie = await begin();
    const call = request(URL, { Cookie, ...(headers as Record<string, string>) }, method);
    expect((await sessionOf(call, sessions, NOW)) !== null).toBe(carried);
  });

  it('ends at sign-out and when its account is deleted', async () => {
    const first = await begin();
    const second = await begin();
    const forget = await endSession(request(URL, { Cookie: first }), sessions);
    expect(forget).toContain('Max-Age=0');
    expect(await sessionOf(request(URL, { Cookie: first }), sessions, NOW)).toBeNull();
    expect(await sessionOf(request(URL, { Cookie: second }), sessions, NOW)).not.toBeNull();
    await env.ACCOUNTS.exec("DELETE FROM accounts WHERE id = 'ann'");
    expect(await sessionOf(request(URL, { Cookie: second }), sessions, NOW)).toBeNull();
  });

  it('is deleted by the clean-up once it expires', async () => {
    await begin();
    await sessions.cleanUp(NOW + 30 * DAY - 1);
    expect(await sessions.list('ann', NOW)).toHaveLength(1);
    await sessions.cleanUp(NOW + 30 * DAY);
    expect(await env.ACCOUNTS.prepare('SELECT count(*) AS n FROM sessions').first('n')).toBe(0);
  });
});

describe('the session cookie', () => {
  const made = (url: string, agent = '') =>
    beginSession(request(url, { 'User-Agent': agent }), 'ann', sessions, NOW);

  it('is __Host-, Secure, HttpOnly and SameSite=Lax over https', async () => {
    expect(await made('https://tools.example/developers')).toMatch(
      /^__Host-session=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('is Secure on localhost and has the port in its name', async () => {
    expect(await made('http://localhost:8787/developers')).toMatch(
      /^session-8787=\w+; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('is not Secure on localhost in Safari, which would drop it', async () => {
    const safari =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15';
    expect(await made('http://localhost:8787/developers', safari)).not.toContain('Secure');
    expect(await made('https://tools.example/developers', safari)).toContain('Secure');
    const chrome = `${safari.replace('Version/18.4', 'Chrome/142.0.0.0')}`;
    expect(await made('http://localhost:8787/developers', chrome)).toContain('Secure');
  });
});
