import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { handle } from '../app.ts';
import { servicesOf } from '../services.ts';

beforeEach(() => applyMigrations(env));

const get = (url: string, init: RequestInit = {}) =>
  handle(new Request(url, init), env, createExecutionContext());

const store = (filename: string, contentType: string) =>
  servicesOf(env).ports.storage.store(new TextEncoder().encode('bytes'), {
    filename,
    contentType,
    lifeSeconds: 3600,
    caller: { address: '192.0.2.1' },
  });

const remove = (url: string, deleteToken?: string) =>
  get(url, {
    method: 'DELETE',
    headers: deleteToken === undefined ? {} : { 'X-Delete-Token': deleteToken },
  });

describe('a stored file', () => {
  it('is deleted by the token of its answer, once', async () => {
    const { url, deleteToken } = await store('a.txt', 'text/plain');
    expect((await remove(url)).status).toBe(400);
    expect((await remove(url, 'x'.repeat(22))).status).toBe(403);
    const other = await store('a.txt', 'text/plain');
    expect((await remove(url, other.deleteToken)).status).toBe(403);
    expect((await get(url)).status).toBe(200);
    expect((await remove(url, deleteToken)).status).toBe(204);
    expect((await get(url)).status).toBe(404);
    expect((await remove(url, deleteToken)).status).toBe(404);
    expect((await get(other.url)).status).toBe(200);
  });

  it('does not contain its delete token', async () => {
    const { id, url, deleteToken } = await store('a.txt', 'text/plain');
    const object = await env.FILES.head(`files/${id}`);
    const { headers } = await get(url);
    expect(JSON.stringify([object, [...headers], url])).not.toContain(deleteToken);
  });

  it('that an operator removed keeps its reason, whoever has the delete token', async () => {
    const { id, url, deleteToken } = await store('a.txt', 'text/plain');
    await servicesOf(env).hosted.withdraw(id, 'copyright');
    expect((await remove(url, deleteToken)).status).toBe(410);
    expect(await (await get(url)).json()).toMatchObject({ reason: 'copyright' });
  });

  it('is saved instead of shown if its link says so', async () => {
    const { url } = await store('a.png', 'image/png');
    const sent = async (link: string) => (await get(link)).headers.get('Content-Disposition');
    expect(await sent(url)).toMatch(/^inline/);
    expect(await sent(`${url}?download`)).toMatch(/^attachment; filename="a.png"/);
  });

  it.each([
    ['setup.exe', 'application/vnd.microsoft.portable-executable'],
    ['a.zip', 'application/zip'],
    ['page.html', 'text/html'],
    ['image.svg', 'image/svg+xml'],
  ])('%s is served as an attachment, is not sniffed and not indexed', async (name, type) => {
    const { url } = await store(name, type);
    const { status, headers } = await get(url);
    expect(status).toBe(200);
    expect(headers.get('Content-Disposition')).toMatch(/^attachment/);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Robots-Tag')).toBe('noindex');
    expect(headers.get('Content-Security-Policy')).toContain('sandbox');
  });

  it('is 412 for a version or a time that it does not have', async () => {
    const { url } = await store('a.txt', 'text/plain');
    const { headers } = await get(url);
    const tag = headers.get('ETag')!;
    const modified = headers.get('Last-Modified')!;
    const statusOf = async (conditions: Record<string, string>, method = 'GET') =>
      (await get(url, { method, headers: conditions })).status;
    for (const right of [tag, `"other", ${tag}`, '*']) {
      expect(await statusOf({ 'If-Match': right })).toBe(200);
    }
    for (const wrong of ['"other"', `W/${tag}`]) {
      expect(await statusOf({ 'If-Match': wrong }, 'HEAD')).toBe(412);
      expect(await statusOf({ 'If-Match': wrong, 'X-Delete-Token': 'x' }, 'DELETE')).toBe(412);
    }
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    expect(await statusOf({ 'If-Unmodified-Since': earlier })).toBe(412);
    expect(await statusOf({ 'If-Unmodified-Since': modified })).toBe(200);
    expect(await statusOf({ 'If-Unmodified-Since': earlier, 'If-Match': tag })).toBe(200);
    expect(await statusOf({ 'If-Unmodified-Since': 'yesterday' })).toBe(200);
  });

  it('that an operator removed is 410 with the kind of the reason, however it is requested', async () => {
    const { id, url } = await store('a.txt', 'text/plain');
    const ETag = (await get(url)).headers.get('ETag')!;
    await servicesOf(env).hosted.withdraw(id, 'copyright');
    const requests: RequestInit[] = [
      {},
      { method: 'HEAD' },
      { headers: { Range: 'bytes=0-1' } },
      { headers: { 'If-None-Match': ETag } },
    ];
    for (const init of requests) expect((await get(url, init)).status).toBe(410);
    expect(await (await get(url)).json()).toMatchObject({
      code: 'not_found',
      reason: 'copyright',
      error:
        'The operator removed this file because of a copyright claim. To object, see /contact.',
    });
  });
});
