import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { handle } from '../app.ts';
import { servicesOf } from '../services.ts';

beforeEach(() => applyMigrations(env));

const get = (url: string, init: RequestInit = {}, bindings = env) =>
  handle(new Request(url, init), bindings, createExecutionContext());

const store = (filename: string, contentType: string, compress = false) =>
  servicesOf(env).ports.storage.store(new TextEncoder().encode('bytes'), {
    filename,
    contentType,
    lifeSeconds: 3600,
    caller: { address: '192.0.2.1' },
    compress,
  });

const remove = (url: string, deleteToken?: string) =>
  get(url, {
    method: 'DELETE',
    headers: deleteToken === undefined ? {} : { 'X-Delete-Token': deleteToken },
  });

describe('a stored file', () => {
  it('is deleted once by the delete token of its response', async () => {
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

  it('keeps its removal reason after an operator removes it, despite its delete token', async () => {
    const { id, url, deleteToken } = await store('a.txt', 'text/plain');
    await servicesOf(env).hosted.withdraw(id, 'copyright');
    expect((await remove(url, deleteToken)).status).toBe(410);
    expect(await (await get(url)).json()).toMatchObject({ reason: 'copyright' });
  });

  it('is downloaded instead of displayed if its link says so', async () => {
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
  ])('named %s is served as an attachment with nosniff and noindex', async (name, type) => {
    const { url } = await store(name, type);
    const { status, headers } = await get(url);
    expect(status).toBe(200);
    expect(headers.get('Content-Disposition')).toMatch(/^attachment/);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Robots-Tag')).toBe('noindex');
    expect(headers.get('Content-Security-Policy')).toContain('sandbox');
  });

  it('returns 412 for a version or a time that does not match', async () => {
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

  it('returns 410 with the kind of reason for every request after an operator removes it', async () => {
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

  it('serves ranges and validators of its original bytes when stored compressed', async () => {
    const { url } = await store('a.json', 'application/json', true);
    const ETag = (await get(url)).headers.get('ETag')!;
    const parts = { 'bytes=1-2': 'yt', 'bytes=-2': 'es', 'bytes=4-': 's', 'bytes=0-99': 'bytes' };
    for (const [Range, text] of Object.entries(parts)) {
      const response = await get(url, { headers: { Range } });
      expect([response.status, await response.text()]).toEqual([206, text]);
    }
    expect((await get(url, { headers: { Range: 'bytes=5-' } })).status).toBe(416);
    const headers = { 'If-None-Match': ETag, Range: 'bytes=1-2' };
    expect((await get(url, { headers })).status).toBe(304);
  });
});

describe('a download reads R2', () => {
  const other = '"other"';
  const later = 'Thu, 01 Jan 2099 00:00:00 GMT';
  const earlier = 'Thu, 01 Jan 1970 00:00:00 GMT';

  it.each<[number, Record<string, string>, number, string]>([
    [1, {}, 200, 'bytes'],
    [1, { Range: 'bytes=1-2' }, 206, 'yt'],
    [1, { Range: 'bytes=-2' }, 206, 'es'],
    [1, { Range: 'bytes=3-99' }, 206, 'es'],
    [1, { Range: 'bytes=0-0,2-2' }, 200, 'bytes'],
    [1, { Range: 'bytes=1-2', 'If-Range': 'TAG' }, 206, 'yt'],
    [1, { 'If-None-Match': 'TAG' }, 304, ''],
    [1, { 'If-None-Match': 'W/TAG' }, 304, ''],
    [1, { 'If-None-Match': '*' }, 304, ''],
    [1, { 'If-None-Match': `${other}, TAG` }, 304, ''],
    [1, { 'If-None-Match': other }, 200, 'bytes'],
    [1, { 'If-None-Match': other, 'If-Modified-Since': later }, 200, 'bytes'],
    [1, { 'If-None-Match': other, Range: 'bytes=1-2' }, 206, 'yt'],
    [1, { 'If-None-Match': 'TAG', Range: 'bytes=9-' }, 304, ''],
    [1, { 'If-Modified-Since': later }, 304, ''],
    [1, { 'If-Modified-Since': earlier }, 200, 'bytes'],
    [1, { 'If-Match': 'TAG' }, 200, 'bytes'],
    [1, { 'If-Match': 'TAG', Range: 'bytes=1-2' }, 206, 'yt'],
    [1, { 'If-Unmodified-Since': later }, 200, 'bytes'],
    [2, { Range: 'bytes=1-2', 'If-Range': other }, 200, 'bytes'],
    [2, { 'If-None-Match': '"*"' }, 200, 'bytes'],
  ])('%i times for %o', async (reads, headers, status, text) => {
    const { url } = await store('a.txt', 'text/plain');
    const tag = (await get(url)).headers.get('ETag')!;
    const methods = { get: vi.fn(env.FILES.get.bind(env.FILES)), head: vi.fn() };
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('TAG', tag)]);
    const init = { headers: Object.fromEntries(sent) };
    const response = await get(url, init, { ...env, FILES: { ...methods } as never });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(methods.get).toHaveBeenCalledTimes(reads);
    expect(methods.head).not.toHaveBeenCalled();
  });

  it.each([
    [412, { 'If-Match': '"other"' }, 1],
    [416, { Range: 'bytes=5-' }, 2],
    [416, { Range: 'bytes=-0' }, 2],
  ])('to return %i to %o', async (status, headers, most) => {
    const { url } = await store('a.txt', 'text/plain');
    const read = vi.fn(env.FILES.get.bind(env.FILES));
    const init = { headers: headers as Record<string, string> };
    expect((await get(url, init, { ...env, FILES: { get: read } as never })).status).toBe(status);
    expect(read.mock.calls.length).toBeLessThanOrEqual(most);
  });
});
