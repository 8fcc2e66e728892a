import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { handle } from '../app.ts';
import { servicesOf } from '../services.ts';

beforeEach(() => applyMigrations(env.DB));

const get = (url: string, init: RequestInit = {}) =>
  handle(new Request(url, init), env, createExecutionContext());

const store = (filename: string, contentType: string) =>
  servicesOf(env).ports.storage.store(new TextEncoder().encode('bytes'), {
    filename,
    contentType,
    lifeSeconds: 3600,
    caller: { address: '192.0.2.1' },
  });

describe('a stored file', () => {
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
