import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, html, redirect } from '../support/upstream.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

const MB = 2 ** 20;
const PAGE = '<!doctype html><html lang=en><title>A page</title><p>text';
const encoded =
  (encoding: string, bytes: Uint8Array): Answer =>
  (_, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': encoding })
      .end(bytes);
const sized =
  (bytes: number): Answer =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(PAGE.padEnd(bytes, ' '));
  };
const typed =
  (type: string | null, body = PAGE): Answer =>
  (_, response) =>
    void response.writeHead(200, type === null ? {} : { 'Content-Type': type }).end(body);

let counter = 0;
/** Functions that send the delayed responses of `/count`. */
const held: (() => void)[] = [];
const ANSWERS: Record<string, Answer | string> = {
  '/': PAGE,
  '/404': (_, response) =>
    void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Gone</title>'),
  '/500': (_, response) =>
    void response.writeHead(500, { 'Content-Type': 'text/html' }).end('<title>Broken</title>'),
  '/1': redirect('/2', 301),
  '/2': redirect('//b.test/3', 307),
  '/3': redirect('http://a.test/?end#there', 308),
  '/0': redirect('/1'),
  '/loop': redirect('/loop'),
  '/to-letters': (request) =>
    void request.socket.end(
      'HTTP/1.1 302 Found\r\nLocation: /straße?привет\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ),
  '/stra%C3%9Fe': '<title>Found</title>',
  '/to-ftp': redirect('ftp://a.test/'),
  '/to-loopback': redirect('http://127.0.0.1/'),
  '/to-metadata': redirect('http://169.254.169.254/latest/'),
  '/gzip': encoded('gzip', gzipSync(PAGE)),
  '/deflate': encoded('deflate', deflateSync(PAGE)),
  '/br': encoded('br', brotliCompressSync(PAGE)),
  '/bomb': encoded('gzip', gzipSync(Buffer.alloc(200 * MB))),
  '/broken-gzip': encoded('gzip', Buffer.from('this is no gzip')),
  '/5mb': sized(5 * MB),
  '/over': sized(5 * MB + 1),
  '/endless': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    const more = () => {
      while (response.write(' '.repeat(65536)));
    };
    response.on('drain', more).on('error', () => {});
    more();
  },
  '/pdf': typed('application/pdf'),
  '/plain': typed('text/plain'),
  '/json': typed('application/json', '{}'),
  '/xhtml': typed('application/xhtml+xml'),
  '/untyped': typed(null),
  '/untyped-text': typed(null, 'just text'),
  '/empty': typed('text/html', ''),
  '/silent': () => {},
  '/drip': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  },
  '/cut': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '1000' });
    response.write(PAGE, () => response.destroy());
  },
  '/reset': (request) => request.socket.destroy(),
  '/garbage': (request) => void request.socket.end('this is no HTTP\r\n\r\n'),
  '/count': (_, response) => {
    counter += 1;
    const title = `<title>${counter}</title>`;
    held.push(() => html(response, title));
  },
  '/feeds':
    '<link rel=alternate type=application/rss+xml href=/rss><link rel=alternate type=application/atom+xml href=/atom>',
};

let service: WebService;
beforeAll(async () => {
  service = await openWebService(['a.test', 'b.test'], ANSWERS);
});
afterAll(() => service.close());

const read = (url: string) => service.run('fetch_page_metadata', { url });

describe('fetch_page_metadata', () => {
  it('returns url, finalUrl, the declared metadata, empty icons and cached', async () => {
    expect(await read('http://a.test/')).toMatchObject({
      status: 200,
      body: {
        url: 'http://a.test/',
        finalUrl: 'http://a.test/',
        title: 'A page',
        lang: 'en',
        feeds: [],
        openGraph: {},
        twitter: {},
        icons: [],
        cached: false,
      },
    });
  });

  it('accepts a bare domain and assumes https', async () => {
    expect((await read('a.test')).body).toMatchObject({
      url: 'https://a.test',
      finalUrl: 'https://a.test/',
      title: 'A page',
    });
  });

  it('lists feeds as absolute URLs', async () => {
    expect((await read('http://a.test/feeds')).body.feeds).toEqual([
      'http://a.test/rss',
      'http://a.test/atom',
    ]);
  });

  it('caches a result under the exact url', async () => {
    const first = await read('http://a.test/?kept');
    const second = await read('http://a.test/?kept');
    expect(second.body).toEqual({ ...first.body, cached: true });
    expect((await read('http://A.test/?kept')).body.cached).toBe(false);
  });

  it('caches no failures', async () => {
    const before = service.upstream.seen.length;
    for (let time = 0; time < 2; time += 1)
      expect((await read('http://a.test/pdf')).status).toBe(400);
    expect(service.upstream.seen.length - before).toBe(2);
  });

  it('fetches once for concurrent identical requests', async () => {
    const reading = Array.from({ length: 8 }, () => read('http://a.test/count'));
    await expect.poll(() => held.length).toBe(1);
    // A second request for the page would arrive before this call ends.
    await read('http://a.test/?meanwhile');
    held.pop()!();
    const results = await Promise.all(reading);
    expect(new Set(results.map(({ body }) => body.title))).toEqual(new Set(['1']));
    expect(results.filter(({ body }) => !body.cached)).toHaveLength(1);
  });

  it('serves concurrent callers even if one of them disconnects', async () => {
    counter = 0;
    const leaving = new AbortController();
    const first = service.run(
      'fetch_page_metadata',
      { url: 'http://a.test/count?left' },
      {
        signal: leaving.signal,
        headers: { 'Content-Type': 'application/json' },
      },
    );
    first.catch(() => {});
    await expect.poll(() => held.length).toBe(1);
    const second = read('http://a.test/count?left');
    await read('http://a.test/?meanwhile-left');
    leaving.abort();
    await expect.poll(() => held.length).toBe(2);
    for (const answer of held.splice(0)) answer();
    expect(await second).toMatchObject({ status: 200, body: { cached: false, title: '2' } });
  });

  it('identifies itself as ToolsMetadataBot, and sends neither cookies nor credentials', async () => {
    await read('http://user:secret@a.test/?agent');
    const request = service.upstream.requests.findLast(({ url }) => url === '/?agent');
    expect(request?.headers).toMatchObject({ 'user-agent': 'ToolsMetadataBot', host: 'a.test' });
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(request?.headers).not.toHaveProperty('cf-connecting-ip');
  });

  it('ignores the status of the page', async () => {
    expect(await read('http://a.test/404')).toMatchObject({ status: 200, body: { title: 'Gone' } });
    expect(await read('http://a.test/500')).toMatchObject({
      status: 200,
      body: { title: 'Broken' },
    });
  });

  it('follows at most 3 redirects', async () => {
    expect((await read('http://a.test/1')).body).toMatchObject({
      url: 'http://a.test/1',
      finalUrl: 'http://a.test/?end#there',
    });
    for (const path of ['0', 'loop']) {
      expect(await read(`http://a.test/${path}`)).toMatchObject({
        status: 400,
        body: {
          code: 'bad_request',
          param: 'url',
          error: expect.stringMatching(/more than 3 times/),
        },
      });
    }
  });

  it('follows redirects to non-ASCII addresses', async () => {
    expect((await read('http://a.test/to-letters')).body).toMatchObject({
      title: 'Found',
      finalUrl: 'http://a.test/stra%C3%9Fe?%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82',
    });
  });

  it('checks every redirect', async () => {
    for (const path of ['to-ftp', 'to-loopback', 'to-metadata']) {
      expect(await read(`http://a.test/${path}`)).toMatchObject({
        status: 400,
        body: { code: 'bad_request', param: 'url' },
      });
    }
  });

  it('reads compressed pages', async () => {
    for (const path of ['gzip', 'deflate', 'br']) {
      expect((await read(`http://a.test/${path}`)).body).toMatchObject({ title: 'A page' });
    }
  });

  it('reads 5 MB and refuses one byte more, counted after decompression', async () => {
    expect(await read('http://a.test/5mb')).toMatchObject({
      status: 200,
      body: { title: 'A page' },
    });
    for (const path of ['over', 'bomb', 'endless']) {
      expect(await read(`http://a.test/${path}`)).toMatchObject({
        status: 400,
        body: {
          code: 'bad_request',
          param: 'url',
          error: expect.stringMatching(/exceeds the limit of 5 MB/),
        },
      });
    }
  });

  it('refuses a response that is not HTML', async () => {
    for (const path of ['pdf', 'plain', 'json', 'untyped-text']) {
      expect(await read(`http://a.test/${path}`)).toMatchObject({
        status: 400,
        body: {
          code: 'bad_request',
          param: 'url',
          error: expect.stringMatching(/, not HTML\./),
        },
      });
    }
    for (const path of ['xhtml', 'untyped', 'empty']) {
      expect((await read(`http://a.test/${path}`)).status).toBe(200);
    }
  });

  it('returns 502 if the upstream fails', async () => {
    for (const url of [
      ...[
        'http://a.test/cut',
        'http://a.test/reset',
        'http://a.test/garbage',
        'http://a.test/broken-gzip',
      ],
      'http://no-such-host.invalid/',
    ]) {
      const answer = await read(url);
      expect([url, answer]).toMatchObject([
        url,
        { status: 502, body: { code: 'tool_failed', param: 'url' } },
      ]);
    }
  });

  it('returns 504 if the response is incomplete after 10 seconds', async () => {
    const started = Date.now();
    const answers = await Promise.all(
      ['silent', 'drip'].map((path) => read(`http://a.test/${path}`)),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 504, body: { code: 'tool_failed', param: 'url' } });
    }
    // There is no upper bound, because the machine may be busy.
    expect(Date.now() - started).toBeGreaterThan(9500);
  });

  it('returns 400 if the url is missing, of another type or not a web address', async () => {
    for (const url of [undefined, 5, '', 'ftp://a.test', 'javascript:alert(1)', 'http://', 'a b']) {
      expect(await service.run('fetch_page_metadata', { url })).toMatchObject({
        status: 400,
        body: { param: 'url' },
      });
    }
  });
});
