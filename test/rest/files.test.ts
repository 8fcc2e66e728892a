import { beforeAll, describe, expect, it } from 'vitest';
import { baseUrl, body, executeForm } from '../support/service.ts';
import { type Answer, send } from './raw-request.ts';

const CONTENT = 'The quick brown fox jumps over the lazy dog.\n';
const { length } = CONTENT;

async function upload(content: string | Uint8Array, filename: string): Promise<string> {
  const blob = new Blob([content as Uint8Array<ArrayBuffer>]);
  const response = await executeForm([
    ['tool', 'upload_file'],
    ['file', blob, filename],
  ]);
  expect(response.status).toBe(200);
  return (await body(response)).url;
}

let url: string;
let first: Response;
const get = (headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  send({ method, path: new URL(url).pathname, headers });

beforeAll(async () => {
  url = await upload(CONTENT, 'fox.txt');
  first = await fetch(url);
});

describe('a stored link', () => {
  it('returns the file with its type, length and name, under headers that sandbox it', async () => {
    expect(first.status).toBe(200);
    expect(await first.text()).toBe(CONTENT);
    const { headers } = first;
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('Content-Length')).toBe(String(length));
    expect(headers.get('Content-Disposition')).toBe('inline; filename="fox.txt"');
    expect(headers.get('Accept-Ranges')).toBe('bytes');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('ETag')).toMatch(/^"[\da-f]+"$/);
    expect(Date.parse(headers.get('Last-Modified')!)).toBeLessThanOrEqual(Date.now());
    expect(headers.get('Vary')).toBe('Origin');
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  });

  it('is cacheable for a day, and for 60 seconds in shared caches', () => {
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=86400, s-maxage=60');
  });

  it('returns the same headers for HEAD, without a body', async () => {
    const head = await get({}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of [
      'content-type',
      'content-length',
      'content-disposition',
      'etag',
      'last-modified',
    ]) {
      expect(head.headers[name], name).toBe(first.headers.get(name));
    }
  });
});

describe('a range request', () => {
  it('returns the first, the middle, the last and the open-ended bytes', async () => {
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-3', 0, 3],
      ['bytes=4-8', 4, 8],
      ['bytes=40-', 40, length - 1],
      ['bytes=0-', 0, length - 1],
      ['bytes=-5', length - 5, length - 1],
      [`bytes=${length - 1}-`, length - 1, length - 1],
      ['bytes=10-99999', 10, length - 1],
      ['bytes=-99999', 0, length - 1],
      ['bytes=10-99999999999999999999999', 10, length - 1],
      ['Bytes=4-8', 4, 8],
      ['bytes= 4-8', 4, 8],
    ] as const) {
      const answer = await get({ Range: range });
      expect(answer.status, range).toBe(206);
      expect(answer.text, range).toBe(CONTENT.slice(from, to + 1));
      expect(answer.headers['content-range']).toBe(`bytes ${from}-${to}/${length}`);
      expect(answer.headers['content-length']).toBe(String(to - from + 1));
      expect(answer.headers.etag).toBe(first.headers.get('ETag'));
    }
  });

  it('returns 416 with the length of the file past its end', async () => {
    for (const range of [
      `bytes=${length}-`,
      'bytes=1000-2000',
      'bytes=-0',
      'bytes=99999999999999999999-',
    ]) {
      const answer = await get({ Range: range });
      expect(answer.status, range).toBe(416);
      expect(answer.headers['content-range']).toBe(`bytes */${length}`);
      expect(answer.json.code).toBe('bad_request');
    }
  });

  it('returns the whole file for several ranges and for a malformed range', async () => {
    for (const range of [
      'bytes=0-1,4-5',
      'bytes=-',
      'bytes=5-2',
      'lines=1-2',
      'bytes=a-b',
      'nonsense',
      'bytes=1 2-3',
    ]) {
      const answer = await get({ Range: range });
      expect(answer.status, range).toBe(200);
      expect(answer.text).toBe(CONTENT);
    }
  });

  it('returns the range if If-Range matches, and the whole file otherwise', async () => {
    const tag = first.headers.get('ETag')!;
    const date = first.headers.get('Last-Modified')!;
    const status = async (condition: string) =>
      (await get({ Range: 'bytes=0-3', 'If-Range': condition })).status;
    expect(await status(tag)).toBe(206);
    expect(await status(date)).toBe(206);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${tag}`)).toBe(200);
    expect(await status('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(200);
  });

  it('has no effect on HEAD', async () => {
    const head = await get({ Range: 'bytes=0-3' }, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(String(length));
  });

  it('reads across the parts of a large file', async () => {
    const bytes = new Uint8Array(12 * 2 ** 20).map(
      (_, index) => 32 + ((index * 7 + (index >> 16)) % 90),
    );
    const large = await upload(bytes, 'large.txt');
    for (const [from, to] of [
      [5 * 2 ** 20 - 2, 5 * 2 ** 20 + 2],
      [10 * 2 ** 20 - 100_000, 10 * 2 ** 20 + 100_000],
      [12 * 2 ** 20 - 1, 12 * 2 ** 20 - 1],
    ] as const) {
      const response = await fetch(large, { headers: { Range: `bytes=${from}-${to}` } });
      expect(response.status).toBe(206);
      const part = new Uint8Array(await response.arrayBuffer());
      expect(Buffer.from(part).equals(Buffer.from(bytes.subarray(from, to + 1)))).toBe(true);
    }
  });
});

describe('a conditional request', () => {
  it('returns 304 without a body if the file is unchanged', async () => {
    const tag = first.headers.get('ETag')!;
    const date = first.headers.get('Last-Modified')!;
    for (const headers of [
      { 'If-None-Match': tag },
      { 'If-None-Match': `W/${tag}` },
      { 'If-None-Match': `"x", ${tag}` },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': date },
      { 'If-Modified-Since': new Date(Date.now() + 5000).toUTCString() },
    ] as Record<string, string>[]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(headers, method);
        expect(answer.status, JSON.stringify(headers)).toBe(304);
        expect(answer.text).toBe('');
        expect(answer.headers.etag).toBe(tag);
        expect(answer.headers['cache-control']).toMatch(/max-age/);
      }
    }
  });

  it('returns 200 if the file differs or the condition is malformed', async () => {
    for (const headers of [
      { 'If-None-Match': '"other"' },
      { 'If-None-Match': '"other"', 'If-Modified-Since': new Date().toUTCString() },
      { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { 'If-Modified-Since': 'yesterday' },
    ] as Record<string, string>[]) {
      expect((await get(headers)).status, JSON.stringify(headers)).toBe(200);
    }
  });

  it('is evaluated before its range', async () => {
    const answer = await get({ 'If-None-Match': first.headers.get('ETag')!, Range: 'bytes=0-3' });
    expect(answer.status).toBe(304);
  });
});

describe('an invalid stored link', () => {
  it('returns 404 for an unknown or malformed id and for another name', async () => {
    const { pathname } = new URL(url);
    const [, , id] = pathname.split('/');
    for (const path of [
      `/files/${id}/other.txt`,
      `/files/${id}/FOX.TXT`,
      `/files/${id}/fox.txt/`,
      `/files/${id}`,
      `/files/${id}/`,
      `/files/${id!.slice(0, -1)}X/fox.txt`,
      `/files/${id}x/fox.txt`,
      `/files/${id!.slice(1)}/fox.txt`,
      `/files/zzzzzz0123456789ABCDEFGHIJKL/fox.txt`,
      `/files/%2e%2e/fox.txt`,
      `/files/${id}/%E0%A4%A`,
      `/files/${id}/..%2ffox.txt`,
      '/files',
      '/files/',
      '/files/x/y',
    ]) {
      const answer = await send({ method: 'GET', path });
      expect(answer.status, path).toBe(404);
      expect(answer.json.code).toBe('not_found');
    }
    expect((await send({ method: 'GET', path: `${pathname}?download=1` })).status).toBe(200);
  });

  it('returns 410 after its expiry, whether the file existed or not', async () => {
    const answer = await send({ method: 'GET', path: '/files/0htivkAQiO8RQwVXrS6n5uPyO6KG/a.txt' });
    const end = Number.parseInt('0htivk', 36) * 60_000;
    const expired = send({ method: 'GET', path: '/files/0aaaaakAQiO8RQwVXrS6n5uPyO6K/a.txt' });
    expect(await expired).toMatchObject({ status: 410, json: { code: 'not_found' } });
    expect(answer.status).toBe(end <= Date.now() ? 410 : 404);
  });
});

describe('the name in a stored link', () => {
  it('is returned unchanged in every script', async () => {
    for (const [given, disposition] of [
      ['fox.txt', `inline; filename="fox.txt"`],
      ['a b+c&d=e;f,g.txt', `inline; filename="a b+c&d=e;f,g.txt"`],
      ['100%.txt', `inline; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
      ["it's (1).txt", `inline; filename="it's (1).txt"`],
      ['#hash?.txt', `inline; filename="#hash_.txt"`],
      ['日本.txt', `inline; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`],
      ['😀.txt', `inline; filename="__.txt"; filename*=UTF-8''%F0%9F%98%80.txt`],
    ] as const) {
      const link = await upload('hello', given);
      expect(new URL(link).href).toBe(link);
      const response = await fetch(link);
      expect(response.status, link).toBe(200);
      expect(response.headers.get('Content-Disposition')).toBe(disposition);
    }
  });

  it('follows the address of the service, not the Host header', async () => {
    const uploadAs = (Host: string) =>
      send({
        headers: { Host, 'Content-Type': 'multipart/form-data; boundary=b' },
        pieces: [
          '--b\r\nContent-Disposition: form-data; name="tool"\r\n\r\nupload_file\r\n' +
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--',
        ],
      });
    const answer = await uploadAs('other.localhost:1');
    expect(answer.json.url.startsWith(`${baseUrl}/files/`)).toBe(true);
    expect((await uploadAs('evil.example')).status).toBe(421);
  });
});

describe('the inline disposition', () => {
  const zip = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p9kQKgAAAABJRU5ErkJggg==',
    'base64',
  );

  it('applies to images, PDF and plain text only; other files are attachments', async () => {
    for (const [content, name, type, disposition] of [
      [png, 'a.png', 'image/png', 'inline'],
      ['%PDF-1.4\n%%EOF\n', 'a.pdf', 'application/pdf', 'inline'],
      ['hello', 'a.txt', 'text/plain; charset=utf-8', 'inline'],
      ['a,b\n', 'a.csv', 'text/csv; charset=utf-8', 'attachment'],
      ['{}', 'a.json', 'application/json', 'attachment'],
      [zip, 'a.zip', 'application/zip', 'attachment'],
    ] as const) {
      const { headers } = await fetch(await upload(content, name));
      expect(headers.get('Content-Type'), name).toBe(type);
      expect(headers.get('Content-Disposition'), name).toMatch(new RegExp(`^${disposition};`));
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Content-Security-Policy')).toMatch(/^sandbox/);
    }
  });
});
