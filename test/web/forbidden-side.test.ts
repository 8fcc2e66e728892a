/** Checks that no connection reaches a forbidden listener, whatever a caller or a page tries. */
import { createSocket } from 'node:dgram';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { type Answer, openForbidden, redirect } from '../support/upstream.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

/**
 * Ports that are allowed for public addresses. A connection to such a port can be refused only because of its IP
 * address.
 */
const ALLOWED_PORTS = [8443, 8080, 443, 80];

const datagrams = createSocket('udp4');
let received = 0;
let forbidden: Awaited<ReturnType<typeof openForbidden>>;
let service: WebService;
const answers: Record<string, Answer | string> = {};

beforeAll(async () => {
  forbidden = await openOnAllowedPort();
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve));
  datagrams.on('message', () => {
    received += 1;
  });
  const { port } = forbidden;
  const udp = (datagrams.address() as AddressInfo).port;
  const inside = `http://127.0.0.1:${port}`;
  // The script makes the same requests in a frame, a worker, a service worker and a pop-up.
  const attack = (from: string) => `{
    const inside = '${inside}', from = '${from}';
    fetch(inside + '/fetch-' + from, { mode: 'no-cors' }).catch(() => {});
    fetch('http://localhost:${port}/', { mode: 'no-cors' }).catch(() => {});
    fetch('http://[::1]:${port}/', { method: 'POST', body: 'x', mode: 'no-cors' }).catch(() => {});
    fetch('http://a.test/to-inside', { mode: 'no-cors' }).catch(() => {});
    for (const open of [() => new WebSocket('ws://127.0.0.1:${port}/' + from), () => new EventSource(inside + '/es'),
      () => new WebTransport('https://127.0.0.1:${port}/'), () => importScripts(inside + '/s.js'),
      () => navigator.sendBeacon(inside + '/beacon', 'x')]) { try { open(); } catch {} }
    try {
      for (const urls of ['turn:127.0.0.1:${port}?transport=tcp', 'stun:127.0.0.1:${udp}', 'turn:127.0.0.1:${udp}']) {
        const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      }
    } catch {}
  }`;
  Object.assign(answers, {
    '/to-inside': redirect(`${inside}/redirected`),
    '/attack': `<title>attack</title><link rel=preconnect href=${inside}><link rel=dns-prefetch href=${inside}>
      <link rel=prefetch href=${inside}/prefetch><link rel=modulepreload href=${inside}/module>
      <link rel=stylesheet href=${inside}/css><link rel=manifest href=${inside}/manifest><link rel=icon href=${inside}/icon>
      <img src=${inside}/img srcset="${inside}/srcset 2x"><video src=${inside}/video poster=${inside}/poster></video>
      <object data=${inside}/object></object><embed src=${inside}/embed><iframe src=${inside}/iframe></iframe>
      <iframe src=http://b.test/frame></iframe><iframe srcdoc="<script src=http://b.test/frame.js></script>"></iframe>
      <style>@import url(${inside}/import);@font-face{font-family:x;src:url(${inside}/font)}body{font-family:x;background:url(${inside}/bg)}</style>
      <form action=${inside}/form method=post target=f id=f></form><iframe name=f></iframe>
      <script>${attack('page')}
        new Worker('/worker.js'); try { new SharedWorker('/worker.js'); } catch {}
        navigator.serviceWorker?.register('/worker.js').catch(() => {});
        window.open('/popup'); window.open('${inside}/popup'); document.getElementById('f').submit();
        const a = document.createElement('a'); a.href = '${inside}/ping'; a.ping = '${inside}/ping'; a.target = '_blank'; a.click();
        const blank = document.createElement('iframe'); document.body?.append(blank);
        try { window.RTCPeerConnection ??= blank.contentWindow.RTCPeerConnection; } catch {}
        ${attack('again')}</script>`,
    '/frame': `<script>${attack('frame')}</script>`,
    '/frame.js': (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(attack('srcdoc')),
    '/worker.js': (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(attack('worker')),
    '/popup': `<img src=${inside}/popup><script>${attack('popup')}</script>`,
    '/leads-in': `<script>location = '${inside}/'</script>`,
    '/refresh': `<meta http-equiv=refresh content="0;url=${inside}/">`,
    '/icons': `<link rel=manifest href=${inside}/m><link rel=icon href=${inside}/i><link rel=icon href=/to-inside>
      <link rel=apple-touch-icon href=http://localhost:${port}/><meta property=og:image content=http://[::1]:${port}/>`,
  });
  service = await openWebService(['a.test', 'b.test'], answers);
});
afterAll(async () => {
  await service.close();
  await forbidden.close();
  datagrams.close();
});

/** Starts the listener on the first allowed port that is free. */
async function openOnAllowedPort(ports = ALLOWED_PORTS): Promise<typeof forbidden> {
  const [port, ...others] = ports;
  if (port === undefined) throw new Error(`none of the ports ${ALLOWED_PORTS} is free`);
  return openForbidden({ port }).catch(() => openOnAllowedPort(others));
}

const NOTATIONS = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '１２７.０.０.１',
    '127。0。0。1',
  ],
  ...['localhost', 'LOCALHOST.', 'a.localhost', 'user:word@127.0.0.1'],
];

describe('the forbidden network', () => {
  it('is not reached by the url of any web tool or by a fileUrl, in any notation', async () => {
    for (const host of NOTATIONS) {
      const url = `http://${host}:${forbidden.port}/`;
      for (const [tool, parameters] of [
        ['fetch_page_metadata', { url }],
        ['fetch_site_logo', { url }],
        ['screenshot_url', { url }],
        ['split_pdf', { fileUrl: url, ranges: ['1'] }],
        ['merge_pdf', { fileUrls: [url, url] }],
      ] as const) {
        expect([url, tool, (await service.run(tool, parameters)).status]).toEqual([url, tool, 400]);
      }
    }
    expect(forbidden.connections()).toBe(0);
  });

  it('is not reached by a redirect', async () => {
    const url = 'http://a.test/to-inside';
    for (const [tool, parameters] of [
      ['fetch_page_metadata', { url }],
      ['fetch_site_logo', { url }],
      ['screenshot_url', { url }],
      ['split_pdf', { fileUrl: url, ranges: ['1'] }],
    ] as const) {
      expect([tool, (await service.run(tool, parameters)).status]).toEqual([tool, 400]);
    }
    expect(forbidden.connections()).toBe(0);
  });

  it('is not reached by icons and manifests', async () => {
    const { status, body } = await service.run('fetch_site_logo', { url: 'http://a.test/icons' });
    expect([status, body.logo]).toEqual([200, undefined]);
    expect(forbidden.connections()).toBe(0);
  });

  it('is not reached by a page that redirects there', async () => {
    for (const path of ['leads-in', 'refresh']) {
      const ran = await service.run('screenshot_url', {
        url: `http://a.test/${path}`,
        delayMs: 1000,
      });
      expect([path, ran.status]).toEqual([path, 400]);
    }
    expect(forbidden.connections()).toBe(0);
  });

  it('is not reached from inside a page, by any means of its scripts', async () => {
    for (const scheme of ['http', 'https']) {
      const ran = await service.run('screenshot_url', {
        url: `${scheme}://a.test/attack`,
        delayMs: 3000,
      });
      // The page may be captured or may have navigated away, but it must not reach the listener.
      expect([200, 400]).toContain(ran.status);
    }
    expect([forbidden.connections(), received]).toEqual([0, 0]);
    for (const path of ['/worker.js', '/frame', '/frame.js', '/to-inside']) {
      expect([path, service.upstream.seen.some((line) => line.endsWith(path))]).toEqual([
        path,
        true,
      ]);
    }
  });

  it('is reached by the same page in an unguarded browser', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${service.upstream.port}/attack`, { waitUntil: 'commit' });
      const means = ['/img', '/css', '/iframe', '/fetch-page', '/page', '/fetch-worker'];
      await expect.poll(() => means.filter((path) => !forbidden.paths.includes(path))).toEqual([]);
      await expect.poll(() => received).toBeGreaterThan(0);
    } finally {
      await browser.close();
    }
  });
});
