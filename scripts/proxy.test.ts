import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type AllowedOrigins, readAllowedOrigins } from '../src/core/allowed-origins.ts';
import { openProxy } from './proxy.ts';
import { PROXY_LIMITS, type ProxyLimits } from './proxy-limits.ts';

const HOME = 'http://localhost';

interface Settings {
  limits?: Partial<ProxyLimits>;
  trustedProxy?: boolean;
  allowed?: AllowedOrigins;
  handle?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Starts a proxy, and an upstream server that responds after it has read the body. Both stop after the test. */
async function openSystem({
  limits,
  trustedProxy = false,
  allowed = readAllowedOrigins(undefined, undefined, HOME, HOME),
  handle = (request, response) => {
    request.resume().on('end', () => response.end('answer'));
  },
}: Settings = {}) {
  const seen: IncomingMessage[] = [];
  const upstream = http.createServer((request, response) => {
    seen.push(request);
    handle(request, response);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const target = new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  const settings = { hosts: ['127.0.0.1'], port: 0, trustedProxy, allowed };
  const proxy = await openProxy(settings, () => target, { ...PROXY_LIMITS, ...limits });
  onTestFinished(() => {
    proxy.close();
    upstream.close();
    upstream.closeAllConnections();
  });
  const { port, drain } = proxy;
  return { url: `http://127.0.0.1:${port}`, port, seen, upstream, drain };
}

/** Returns the number of open connections to the upstream server. */
const connectionsOf = (upstream: http.Server) =>
  new Promise<number>((resolve) => upstream.getConnections((_, count) => resolve(count)));

/** Resolves when the socket is closed, even after an error. `once` would throw the error. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) =>
    socket.closed ? resolve() : socket.once('close', () => resolve()),
  );

/** Opens a connection and sends `text`. */
async function open(port: number, localAddress: string, text = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Returns everything that the connection receives until it closes. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await closed(socket);
  return text;
}

/** Sends a request from the given local address, on a new connection. */
async function get(url: string, localAddress = '127.0.0.1', body?: string, headers = {}) {
  const method = body === undefined ? 'GET' : 'POST';
  const request = http.request(url, { localAddress, method, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode, headers: response.headers, text };
}

const ENDLESS_BODY = 'POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n';
const CHUNKED_BODY = 'POST /api HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
const SMALL_BODY = 'POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n';
const HALF_HEADERS = 'GET / HTTP/1.1\r\nHost: local';

it('the proxy forwards bodies and responses with the actual address of the caller', async () => {
  const { url, seen } = await openSystem();
  for (const body of ['', 'x', 'x'.repeat(64 * 1024), 'x'.repeat(1_000_000)]) {
    const headers = { 'CF-Connecting-IP': '203.0.113.9', 'X-Forwarded-For': '203.0.113.9' };
    const response = await fetch(url, { method: 'POST', body, headers });
    expect(await response.text()).toBe('answer');
    expect(seen.at(-1)!.headers).toMatchObject({
      'content-length': String(body.length),
      'cf-connecting-ip': '127.0.0.1',
    });
  }
});

it('the proxy returns 503 with Retry-After while its upstream is down', async () => {
  const allowed = readAllowedOrigins(undefined, 'https://a.example', HOME, HOME);
  const settings = { hosts: ['127.0.0.1'], port: 0, trustedProxy: false, allowed };
  const proxy = await openProxy(settings, () => undefined);
  onTestFinished(() => proxy.close());
  for (const [Origin, grant] of [
    ['https://a.example', 'https://a.example'],
    ['https://evil.example', null],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${proxy.port}`, { headers: { Origin } });
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(grant);
    expect(await response.json()).toMatchObject({ code: 'internal', retryAfter: 5 });
  }
});

it('the proxy repeats a GET if workerd closed the idle connection on which it was sent', async () => {
  const used = new Set<Socket>();
  const handle = ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (used.has(socket)) socket.destroy();
    else response.end('answer');
    used.add(socket);
  };
  const { url, seen } = await openSystem({ handle });
  expect((await get(url)).text).toBe('answer');
  expect(await get(url)).toMatchObject({ status: 200, text: 'answer' });
  expect(seen.length).toBe(3);
  // A POST may already have had effects.
  expect((await get(url, '127.0.0.1', 'body')).status).toBe(503);
  expect(seen.length).toBe(4);
});

it('the proxy forwards an absolute URL under its host', async () => {
  const { port, seen } = await openSystem();
  const socket = await open(
    port,
    '127.0.0.1',
    'GET http://evil.example/a?b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  expect(await received(socket)).toMatch(/^HTTP\/1.1 200/);
  expect(seen[0]).toMatchObject({ url: '/a?b', headers: { host: 'evil.example' } });
});

const IDLE = [
  ['nothing sent', ''],
  ['half of the headers', HALF_HEADERS],
  ['a large body that never comes', ENDLESS_BODY],
  ['a chunked body that never comes', CHUNKED_BODY],
  ['a small body that never comes', SMALL_BODY],
] as const;

/**
 * Opens idle connections: `ofOne` connections from one address, and `ofTwenty` connections from a total of twenty
 * addresses. Checks that all callers get responses before and after the connections are dropped, and that no connection
 * stays open upstream.
 */
async function expectAnswers(
  { url, port, upstream }: Awaited<ReturnType<typeof openSystem>>,
  counts: { ofOne: number; ofTwenty: number },
  textOf: (index: number) => string,
): Promise<void> {
  const requestAll = async () => {
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.99']) {
      expect(await get(`${url}/health`, address)).toMatchObject({ status: 200 });
      expect(await get(url, address, 'x')).toMatchObject({ status: 200 });
    }
  };
  const openAll = (count: number, address: (index: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => open(port, address(index), textOf(index))),
    );
  const one = await openAll(counts.ofOne, () => '127.0.0.1');
  await requestAll();
  const twenty = await openAll(counts.ofTwenty, (index) => `127.0.0.${2 + (index % 20)}`);
  await requestAll();
  for (const socket of [...one, ...twenty]) socket.resetAndDestroy();
  await requestAll();
  // The proxy keeps one connection open for the next request.
  await expect.poll(() => connectionsOf(upstream)).toBeLessThanOrEqual(1);
  await requestAll();
}

it('the proxy answers everyone during and after 600 idle connections of one address and 2,000 of twenty', async () => {
  const textOf = (index: number) => IDLE[index % IDLE.length]![1];
  await expectAnswers(await openSystem(), { ofOne: 600, ofTwenty: 2000 }, textOf);
});

it.each(IDLE)(
  'the proxy answers everyone during and after idle connections with %s',
  async (_, text) => {
    const limits = { perNetwork: 8, total: 64, largeBodies: 16 };
    await expectAnswers(await openSystem({ limits }), { ofOne: 75, ofTwenty: 250 }, () => text);
  },
);

it('the proxy closes the upstream connections of clients that disconnect at any point', async () => {
  const { port, seen, upstream } = await openSystem({ handle: () => {} });
  const pipelined = 'GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3);
  const sockets = await Promise.all(
    [pipelined, ENDLESS_BODY, CHUNKED_BODY].map((text) => open(port, '127.0.0.1', text)),
  );
  await expect.poll(() => seen.length).toBe(3);
  const gone = seen.map(({ socket }) => closed(socket));
  for (const socket of sockets) socket.destroy();
  await Promise.all(gone);
  expect(await connectionsOf(upstream)).toBe(0);
});

it('the proxy does not count disconnected clients', async () => {
  const limits = { perNetwork: 3, largeBodies: 2, total: 4 };
  const { url, port, seen } = await openSystem({
    limits,
    handle: (request, response) => {
      if (request.url === '/') request.resume().on('end', () => response.end('answer'));
    },
  });
  for (let round = 1; round <= 5; round++) {
    const texts = [ENDLESS_BODY, CHUNKED_BODY, 'GET /api HTTP/1.1\r\nHost: a\r\n\r\n'];
    const sockets = await Promise.all(texts.map((text) => open(port, '127.0.0.1', text)));
    await expect.poll(() => seen.length).toBe(round * 4 - 1);
    const gone = seen.slice(-3).map(({ socket }) => closed(socket));
    for (const socket of sockets) socket.destroy();
    await Promise.all(gone);
    expect((await get(url, '127.0.0.1', 'x'.repeat(100_000))).status).toBe(200);
  }
});

it('the proxy keeps the connection of another request when a client leaves a response unread', async () => {
  const large = Buffer.alloc(8_000_000);
  let answerOther = () => {};
  const { url, port, seen } = await openSystem({
    handle: (request, response) => {
      if (request.url === '/api') response.end(large);
      else answerOther = () => response.end('answer');
    },
  });
  const reader = await open(port, '127.0.0.1', 'GET /api HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => seen.length).toBe(1);
  const other = get(url);
  await expect.poll(() => seen.length).toBe(2);
  const left = closed(seen[0]!.socket);
  reader.destroy();
  await left;
  answerOther();
  expect(await other).toMatchObject({ status: 200, text: 'answer' });
});

it('the proxy returns 429 above the connection limit of an address, and 503 above the total', async () => {
  const limits = { perNetwork: 3, total: 5 };
  const { port, seen } = await openSystem({ limits, handle: () => {} });
  const working = 'GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const addresses = [...Array(3).fill('127.0.0.1'), ...Array(2).fill('127.0.0.2')];
  await Promise.all(addresses.map((address) => open(port, address, working)));
  await expect.poll(() => seen.length).toBe(5);
  const ofNetwork = await received(await open(port, '127.0.0.1', working));
  expect(ofNetwork).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\n.*Retry-After: 1\r\n/s);
  expect(ofNetwork).toContain('"code":"rate_limited"');
  const inAll = await received(await open(port, '127.0.0.3', working));
  expect(inAll).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n.*Retry-After: 5\r\n/s);
  expect(inAll).toContain('"code":"internal"');
});

it.each([
  ['429, if its address has too many', '127.0.0.1', /^HTTP\/1.1 429 .*from your address/s],
  ['503, if there are too many in total', '127.0.0.2', /^HTTP\/1.1 503 .*"code":"internal"/s],
] as const)(
  'the proxy closes an idle upload for a new connection with %s',
  async (_, address, expected) => {
    const { url, port, seen } = await openSystem({ limits: { perNetwork: 2, total: 2 } });
    const first = received(await open(port, '127.0.0.1', ENDLESS_BODY));
    await expect.poll(() => seen.length).toBe(1);
    await open(port, address, ENDLESS_BODY);
    await expect.poll(() => seen.length).toBe(2);
    expect(await get(url, address)).toMatchObject({ status: 200 });
    expect(await first).toMatch(expected);
  },
);

it('the proxy serves a burst above the connection limit as earlier connections finish', async () => {
  const { url } = await openSystem({ limits: { perNetwork: 4 } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => get(url, '127.0.0.1', 'x')));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

it('the proxy limits requests by forwarded address behind a trusted proxy, not by connection', async () => {
  const { url, port, seen } = await openSystem({
    limits: { perNetwork: 2 },
    trustedProxy: true,
    handle: (request, response) => {
      if (request.url === '/') response.end('answer');
    },
  });
  const from = (address: string) =>
    `GET /api HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9, ${address}\r\n\r\n`;
  const network = ['2001:db8::1', '2001:db8::2'];
  await Promise.all([
    ...network.map((address) => open(port, '127.0.0.1', from(address))),
    open(port, '127.0.0.1', from('203.0.113.7')),
    open(port, '127.0.0.1'),
  ]);
  await expect.poll(() => seen.length).toBe(3);
  const callFrom = (address: string) =>
    get(url, '127.0.0.1', undefined, { 'X-Forwarded-For': address });
  expect((await callFrom('2001:db8::3')).status).toBe(429);
  expect((await callFrom('203.0.113.7')).status).toBe(200);
  expect((await callFrom('2001:db8:0:1::1')).status).toBe(200);
});

it('the proxy returns 503 above its limit of large bodies, and still answers small requests', async () => {
  const { url, port, seen } = await openSystem({ limits: { largeBodies: 2 } });
  for (let count = 0; count < 2; count++) await open(port, '127.0.0.1', ENDLESS_BODY);
  await expect.poll(() => seen.length).toBe(2);
  expect(await received(await open(port, '127.0.0.1', ENDLESS_BODY))).toMatch(/^HTTP\/1.1 503/);
  expect((await get(url, '127.0.0.1', 'x'.repeat(64 * 1024))).status).toBe(200);
});

it('the proxy accepts large bodies again after more than the limit have timed out', async () => {
  const { port } = await openSystem({ limits: { largeBodies: 2, bodyIdleMs: 100, checkMs: 20 } });
  for (let round = 0; round < 5; round++) {
    const answer = await received(await open(port, '127.0.0.1', ENDLESS_BODY));
    expect([round, answer]).toEqual([round, expect.stringMatching(/^HTTP\/1.1 408/)]);
  }
});

it('the proxy accepts large bodies again after more than the limit were answered early', async () => {
  const { port } = await openSystem({
    limits: { largeBodies: 2 },
    handle: (_, response) => void response.writeHead(429).end(),
  });
  for (let round = 0; round < 5; round++) {
    // The proxy continues to read the body for a while, but frees its slot as soon as it has responded.
    const [answer] = await once(await open(port, '127.0.0.1', ENDLESS_BODY), 'data');
    expect([round, `${answer}`]).toEqual([round, expect.stringMatching(/^HTTP\/1.1 429/)]);
  }
});

it('the proxy forwards pipelined requests one after another, up to a limit', async () => {
  const answers: ServerResponse[] = [];
  const handle = (_: IncomingMessage, response: ServerResponse) => void answers.push(response);
  const { port, seen } = await openSystem({ limits: { perNetwork: 5 }, handle });
  const pipelined = await open(port, '127.0.0.1', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
  for (let count = 1; count <= 4; count += 1) {
    await expect.poll(() => answers.length).toBe(count);
    answers[count - 1]!.end('answer');
  }
  await open(port, '127.0.0.1', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(15));
  await expect.poll(() => seen.length).toBe(5);
  expect((await get(`http://127.0.0.1:${port}/`)).status).toBe(429);
  expect(seen.length).toBe(5);
  expect(pipelined.destroyed).toBe(false);
});

it('the proxy closes a connection that pipelines too many requests, and answers none', async () => {
  const { port, seen, upstream } = await openSystem();
  let parsed = 0;
  const count = () => {
    parsed += 1;
  };
  diagnostics.subscribe('http.server.request.start', count);
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', count));
  const flood = await open(port, '127.0.0.1', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000));
  expect(await received(flood)).toBe('');
  // The count also includes the forwarded request, because the upstream server parses it in the same process.
  expect(parsed).toBeLessThanOrEqual(PROXY_LIMITS.pipelined + 2);
  expect(seen.length).toBeLessThanOrEqual(1);
  await expect.poll(() => connectionsOf(upstream)).toBe(0);
});

it('the proxy reports a request that ends before its Content-Length', async () => {
  const { port } = await openSystem();
  const request = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc';
  const socket = await open(port, '127.0.0.1', request);
  socket.end();
  expect(await received(socket)).toMatch(/^HTTP\/1.1 400 .*before the whole request arrived/s);
});

it('the proxy refuses a request with more than 100 headers, and those after it', async () => {
  const { port, seen } = await openSystem();
  const headers = Array.from({ length: 100 }, (_, index) => `a${index}: b\r\n`).join('');
  const request = `GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
  const next = 'GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answer = await received(await open(port, '127.0.0.1', request + next));
  expect(answer).toMatch(/^HTTP\/1.1 431 .*more than 100 headers/s);
  expect(seen).toEqual([]);
});

it('the proxy answers other networks while one sends requests that are expensive to parse', async () => {
  const { port, url } = await openSystem();
  const text = `${CHUNKED_BODY}${'1\r\na\r\n'.repeat(20_000)}`;
  const attack = await Promise.all([1, 2, 3].map(() => open(port, '127.0.0.9', text)));
  expect((await get(url)).status).toBe(200);
  await Promise.all(attack.map(received));
  await expect.poll(async () => (await get(url, '127.0.0.9')).status).toBe(200);
});

it('parses one connection of a network at a time while they cost much, even if all have waited', async () => {
  let turns = 0;
  const parsedIn: number[] = [];
  const note = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.socket.remoteAddress !== '127.0.0.9') return;
    parsedIn.push(turns);
    setImmediate(() => (turns += 1));
  };
  diagnostics.subscribe('http.server.request.start', note);
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', note));
  const { port } = await openSystem();
  const text = `${CHUNKED_BODY}${'1\r\na\r\n'.repeat(20_000)}`;
  const first = await open(port, '127.0.0.9', text);
  await expect.poll(() => parsedIn.length).toBe(1);
  const waiting = await Promise.all(Array.from({ length: 5 }, () => open(port, '127.0.0.9', text)));
  await Promise.all([first, ...waiting].map(received));
  expect(parsedIn.length).toBeGreaterThan(1);
  expect(new Set(parsedIn).size).toBe(parsedIn.length);
});

it('the proxy forwards a body of small pieces in few writes', async () => {
  let reads = 0;
  const { url } = await openSystem({
    handle: (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        reads += 1;
        text += chunk.toString();
      });
      request.on('end', () => response.end(text));
    },
  });
  const pieces = Array.from({ length: 5000 }, (_, index) => `${index},`.padEnd(40, '.'));
  const request = http.request(url, { method: 'POST', agent: false });
  for (const piece of pieces) request.write(piece);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect((await response.setEncoding('utf8').toArray()).join('')).toBe(pieces.join(''));
  expect(reads).toBeLessThan(500);
});

it.each([
  ['headers', HALF_HEADERS, { headersMs: 100, checkMs: 20 }],
  ['anything', '', { headersMs: 100, checkMs: 20 }],
  ['a large body', ENDLESS_BODY, { bodyIdleMs: 100, checkMs: 20 }],
  ['a small body', SMALL_BODY, { bodyIdleMs: 100, checkMs: 20 }],
  ['a chunk', `${CHUNKED_BODY}5\r\nab`, { bodyIdleMs: 100, checkMs: 20 }],
  ['trailers', `${CHUNKED_BODY}1\r\na\r\n0\r\nX-Trailer: `, { bodyIdleMs: 100, checkMs: 20 }],
  [
    'a body after Expect: 100-continue',
    `${ENDLESS_BODY.slice(0, -2)}Expect: 100-continue\r\n\r\n`,
    { bodyIdleMs: 100, checkMs: 20 },
  ],
])('the proxy returns 408 to a client that stops sending %s', async (_, text, limits) => {
  const { port, upstream } = await openSystem({ limits });
  const answer = await received(await open(port, '127.0.0.1', text));
  expect(answer).toMatch(/HTTP\/1.1 408 Request Timeout/);
  expect(answer).toContain('"code":"bad_request"');
  await expect.poll(() => connectionsOf(upstream)).toBe(0);
});

it('the proxy returns 400 for a body of very many tiny chunks', async () => {
  const { port } = await openSystem();
  const socket = await open(port, '127.0.0.1', CHUNKED_BODY);
  const answer = received(socket);
  socket.write('1\r\na\r\n'.repeat(20_000));
  expect(await answer).toMatch(/^HTTP\/1.1 400 .*too many small pieces/s);
});

it('the proxy disconnects a client that does not read its response', async () => {
  const { port, seen } = await openSystem({
    limits: { responseIdleMs: 200, checkMs: 20 },
    handle: (_, response) => void response.end(Buffer.alloc(50_000_000)),
  });
  const socket = await open(port, '127.0.0.1', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  await expect.poll(() => seen.length).toBe(1);
  await closed(seen[0]!.socket);
});

it('the proxy treats an upgrade as a normal request', async () => {
  const { port, seen } = await openSystem();
  const answer = await received(
    await open(
      port,
      '127.0.0.1',
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    ),
  );
  expect(answer).toMatch(/^HTTP\/1.1 200/);
  expect(seen[0]!.headers.upgrade).toBeUndefined();
});

it('the proxy answers a request with an unknown expectation', async () => {
  const { port, seen } = await openSystem();
  const text = 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n';
  expect(await received(await open(port, '127.0.0.1', text))).toMatch(/^HTTP\/1.1 200/);
  expect(seen[0]!.headers.expect).toBeUndefined();
});

it('the proxy divides large bodies fairly, and closes the slowest one of the address with the most', async () => {
  const { port, seen } = await openSystem({ limits: { largeBodies: 6 } });
  const started = async (address: string, sent = '') => {
    const before = seen.length;
    const socket = await open(port, address, ENDLESS_BODY + sent);
    await expect.poll(() => seen.length).toBe(before + 1);
    return socket;
  };
  const fast = await started('127.0.0.1', 'x'.repeat(100_000));
  const slow = await started('127.0.0.1');
  const others = [
    await started('127.0.0.1', 'x'.repeat(100_000)),
    await started('127.0.0.2'),
    await started('127.0.0.2'),
    await started('127.0.0.2'),
  ];
  const ended = received(slow);
  await started('127.0.0.3');
  expect(await ended).toMatch(/^HTTP\/1.1 503 /);
  // The three addresses now have 2, 3 and 1 uploads in progress.
  expect(await received(await open(port, '127.0.0.2', ENDLESS_BODY))).toMatch(/^HTTP\/1.1 503 /);
  await started('127.0.0.3');
  expect(await received(await open(port, '127.0.0.3', ENDLESS_BODY))).toMatch(/^HTTP\/1.1 503 /);
  await started('127.0.0.4');
  expect([fast, ...others].filter(({ closed }) => !closed).length).toBeGreaterThanOrEqual(3);
});

it('the proxy accepts a large body of a ninth address while eight hold all slots', async () => {
  // The long check interval keeps the proxy from closing the connections as idle while the test opens them.
  const { url, port, seen } = await openSystem({ limits: { checkMs: 3_600_000 } });
  const addresses = Array.from({ length: 8 }, (_, index) => `127.0.1.${index + 1}`);
  const uploads = addresses.flatMap((address) => Array<string>(64).fill(address));
  await Promise.all(uploads.map((address) => open(port, address, ENDLESS_BODY)));
  await expect.poll(() => seen.length).toBe(512);
  for (let count = 0; count < 3; count++) {
    expect((await get(url, '127.0.2.1', 'x'.repeat(100_000))).status).toBe(200);
  }
});

it.each([
  ['a request without Host', 'GET /health HTTP/1.1\r\n\r\n'],
  ['two Host headers', 'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'],
  ['two equal Host headers', 'GET /health HTTP/1.0\r\nHost: localhost\r\nhost: localhost\r\n\r\n'],
  ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'],
])('the proxy returns a JSON error for %s', async (_, text) => {
  const { port, seen } = await openSystem();
  const answer = await received(await open(port, '127.0.0.1', text));
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n.*Content-Type: application\/json\r\n/s);
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'bad_request' });
  expect(seen).toEqual([]);
});

it.each([
  [{ 'X-Forwarded-For': '9.9.9.9, 203.0.113.7' }, '203.0.113.7'],
  [{ 'X-Forwarded-For': '203.0.113.7', 'CF-Connecting-IP': '127.0.0.1' }, '203.0.113.7'],
  [{ 'CF-Connecting-IP': '203.0.113.7' }, '203.0.113.7'],
  [{ 'X-Forwarded-For': 'unknown' }, '0.0.0.0'],
  [{ 'X-Forwarded-For': '203.0.113.7,' }, '0.0.0.0'],
  [{}, '127.0.0.1'],
])(
  'the proxy behind a trusted proxy resolves the address of %j to %s',
  async (headers, address) => {
    const { url, seen } = await openSystem({ trustedProxy: true });
    expect((await get(url, '127.0.0.1', undefined, headers)).status).toBe(200);
    expect(seen[0]!.headers['cf-connecting-ip']).toBe(address);
  },
);

it('a draining proxy finishes running requests until its time limit, and refuses new ones', async () => {
  const answers: ServerResponse[] = [];
  const { url, drain, seen } = await openSystem({
    handle: (_, response) => void answers.push(response),
  });
  const [first, second] = [fetch(`${url}/first`), fetch(`${url}/second`)];
  await expect.poll(() => seen.length).toBe(2);
  const { promise: timeIsUp, resolve: endTime } = Promise.withResolvers<void>();
  const drained = drain(timeIsUp);
  const refused = await fetch(`${url}/third`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await refused.json()) as object).toMatchObject({
    error: expect.stringContaining('shutting down'),
  });
  answers[0]!.end('done');
  expect(await (await first).text()).toBe('done');
  endTime();
  await drained;
  expect((await second).status).toBe(503);
  expect(seen).toHaveLength(2);
});

it('releases its port if it cannot listen on every host', async () => {
  const allowed = readAllowedOrigins(undefined, undefined, HOME, HOME);
  const settings = { hosts: ['127.0.0.1'], port: 0, trustedProxy: false, allowed };
  const first = await openProxy(settings, () => undefined);
  const { port } = first;
  first.close();
  const twice = { ...settings, port, hosts: ['127.0.0.1', '127.0.0.1'] };
  await expect(openProxy(twice, () => undefined)).rejects.toThrow('EADDRINUSE');
  const second = await openProxy({ ...settings, port }, () => undefined);
  expect(second.port).toBe(port);
  second.close();
});
