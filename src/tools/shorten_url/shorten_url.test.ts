import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../../test/support/apply-migrations.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { unlimitedStorage } from '../../../test/support/unlimited-storage.ts';
import { D1Links } from '../../adapters/d1-links.ts';
import { R2Files } from '../../adapters/r2-files.ts';
import { newFileId } from '../../lib/file-id.ts';
import { shortenUrl } from './shorten_url.ts';

const links = new D1Links(env.LINKS, 'https://tools.example');
const storage = new R2Files(env.FILES, 'https://files.example', unlimitedStorage);

beforeAll(() => applyMigrations(env));

const shorten = async (parameters: Record<string, unknown>) =>
  (await runTool(shortenUrl, parameters, { ports: { links, storage } })).value as {
    code: string;
    shortUrl: string;
  };

describe('shorten_url', () => {
  it('returns only code and shortUrl, with a random code of 8 unambiguous characters', async () => {
    const result = await shorten({ url: 'https://example.com/page' });
    expect(Object.keys(result)).toEqual(['code', 'shortUrl']);
    expect(result.code).toMatch(/^[2-9A-NP-Za-km-z]{8}$/);
    expect(result.shortUrl).toBe(`https://tools.example/${result.code}`);
    expect(await links.find(result.code)).toMatchObject({ url: 'https://example.com/page' });
  });

  it('normalizes the address like the URL parser and keeps credentials', async () => {
    const { code } = await shorten({ url: ' HTTPS://u:p@M\u00fcnchen.example:443/a/../b c' });
    expect(await links.find(code)).toMatchObject({
      url: 'https://u:p@xn--mnchen-3ya.example/b%20c',
    });
    await expect(shorten({ url: 'example.com' })).rejects.toMatchObject({
      status: 400,
      param: 'url',
    });
  });

  it('accepts a custom code of 3 to 32 letters, digits, hyphens and underscores', async () => {
    for (const customCode of ['abc', 'A-b_9', 'x'.repeat(32)]) {
      expect((await shorten({ url: 'https://example.com', customCode })).code).toBe(customCode);
    }
    for (const customCode of ['ab', 'x'.repeat(33), 'a b', 'a/b', 'äbc', 'a.b', '']) {
      await expect(shorten({ url: 'https://example.com', customCode })).rejects.toMatchObject({
        status: 400,
        param: 'customCode',
      });
    }
  });

  it('rejects reserved site paths in upper and lower case', async () => {
    for (const customCode of [
      'api',
      'blog',
      'tools',
      'API',
      'Health',
      'well-known',
      'how-to',
      'cdn-cgi',
    ]) {
      await expect(shorten({ url: 'https://example.com', customCode })).rejects.toMatchObject({
        status: 400,
      });
    }
  });

  it('returns 409 for a code in use, and codes are case-sensitive', async () => {
    await shorten({ url: 'https://example.com/1', customCode: 'Mine' });
    await expect(
      shorten({ url: 'https://example.com/2', customCode: 'Mine' }),
    ).rejects.toMatchObject({ status: 409, code: 'bad_request', param: 'customCode' });
    await shorten({ url: 'https://example.com/2', customCode: 'mine' });
    expect(await links.find('Mine')).toMatchObject({ url: 'https://example.com/1' });
    expect(await links.find('mine')).toMatchObject({ url: 'https://example.com/2' });
  });

  it('lets exactly one of ten concurrent calls for the same code succeed', async () => {
    const tries = Array.from({ length: 10 }, (_, index) =>
      shorten({ url: `https://example.com/${index}`, customCode: 'race' }),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('rejects an address over 8,192 characters', async () => {
    const url = `https://example.com/${'x'.repeat(8192)}`;
    await expect(shorten({ url })).rejects.toMatchObject({ status: 400, param: 'url' });
    await shorten({ url: url.slice(0, 8192) });
  });

  it('rejects a link to its own short links, which would be a loop', async () => {
    const { shortUrl } = await shorten({ url: 'https://example.com' });
    for (const url of [
      shortUrl,
      `${shortUrl}?a=1`,
      `${shortUrl}/`,
      shortUrl.replace('https', 'http'),
      shortUrl.replace('example/', 'example./'),
      'https://tools.example/%6Coopy1',
    ]) {
      await expect(shorten({ url })).rejects.toMatchObject({ status: 400, param: 'url' });
    }
    await shorten({ url: 'https://tools.example/files/a/b' });
  });

  it('counts every visit', async () => {
    const { code } = await shorten({ url: 'https://example.com/counted' });
    for (let visit = 0; visit < 500; visit++) links.countVisit(code);
    await links.flush();
    const visits = await env.LINKS.prepare('SELECT visits FROM short_links WHERE code = ?')
      .bind(code)
      .first('visits');
    expect(visits).toBe(500);
  });
});

it('shorten_url warns that a link to a stored file outlives the file', async () => {
  const link = storage.linkTo(newFileId(Date.UTC(2030, 0, 2)), 'a.pdf');
  const ports = { links, storage };
  const stored = await runTool(shortenUrl, { url: link }, { ports });
  expect(stored.warnings).toEqual([
    'url: the target is a stored file that is deleted on 2030-01-02T00:00Z; the short link stops working then.',
  ]);
  const other = await runTool(shortenUrl, { url: 'https://example.com/' }, { ports });
  expect(other.warnings).toEqual([]);
});
