import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureImage } from '../../src/web/image-size.ts';
import { descendantsOf } from '../support/descendants.ts';
import { drawImage } from '../support/images.ts';
import { someOf } from '../support/matrix.ts';
import { fetchOnce } from '../support/patient-fetch.ts';
import { parsePrometheus } from '../support/prometheus.ts';
import { type Answer, html, redirect } from '../support/upstream.ts';
import { openWebService, type Ran, type WebService } from '../support/web-service.ts';

const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const GREEN_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC',
  'base64',
);
const folder = mkdtempSync(join(tmpdir(), 'tools-shots-'));
const solid = (color: string, more = '') =>
  `<!doctype html><meta charset=utf-8><body style="margin:0;background:${color}">${more}`;
const sheets = (count: number) =>
  `${'<p>a</p><p style="break-after:page">b'.repeat(count - 1)}<p>c`;
/** The data from earlier pages that each visit to `/leaves` found. An entry is empty if there was none. */
const told: string[] = [];
let fromCache = 0;
/** Sends the held response of the page `/held`. */
let release: () => void = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});

const ANSWERS: Record<string, Answer | string> = {
  '/': solid('#f00'),
  '/held': (_, response) => void released.then(() => html(response, solid('#0f0'))),
  '/dark': solid(
    '#fff',
    '<style>@media (prefers-color-scheme:dark){body{background:#00f !important}}</style>',
  ),
  '/late': solid(
    '#f00',
    '<script>setTimeout(()=>document.body.style.background="#0f0",location.search.slice(1))</script>',
  ),
  '/tall': solid('#0f0', '<div style="height:100000px">'),
  '/sheets-100': sheets(100),
  '/sheets-101': sheets(101),
  '/medium': solid('#0f0', '<div style="height:3000px">'),
  '/lazy': solid(
    '#fff',
    '<div style="height:4000px"></div><img loading=lazy style="display:block;width:100%;height:500px" src=/slow.png>',
  ),
  '/slow.png': (_, response) => {
    setTimeout(() => html(response, drawImage(folder, 'lazy.png', 64, 64), 'image/png'), 300);
  },
  // The page has no scripts. The font is requested only during layout.
  '/font': solid(
    '#fff',
    '<style>@font-face{font-family:late;src:url(/late.ttf)}p{font:300px late;color:#0f0;margin:0}</style><p>█',
  ),
  '/late.ttf': (_, response) => {
    setTimeout(() => html(response, readFileSync(FONT), 'font/ttf'), 400);
  },
  '/still-lazy': solid(
    '#fff',
    '<img loading=lazy style="width:200px;height:200px" src=/green.png?1>',
  ),
  '/behind': solid('#fff', '<div style="height:200px;background:url(/green.png?2)">'),
  '/green.png': (_, response) => {
    setTimeout(() => html(response, GREEN_PIXEL, 'image/png'), 400);
  },
  '/element': solid(
    '#fff',
    '<div style="height:2000px"></div><div id=it style="width:120px;height:60px;background:#00f"></div>',
  ),
  '/appears': solid(
    '#f00',
    '<script>setTimeout(()=>{document.body.innerHTML="<p id=here>x";document.body.style.background="#0f0"},1200)</script>',
  ),
  '/lazy-slow': solid(
    '#fff',
    '<div style="height:3000px"></div><img loading=lazy style="display:block;width:100%;height:500px" src=/slower.png>',
  ),
  '/slower.png': (_, response) => {
    setTimeout(() => html(response, drawImage(folder, 'slower.png', 64, 64), 'image/png'), 4000);
  },
  // The script loads the content after scrolling has stopped, as lazy loaders do.
  '/lazy-debounced': solid(
    '#fff',
    `<div style="height:3000px"></div><div id=it style="height:500px"></div><div style="height:3000px"></div>
     <script>let late;onscroll=()=>{clearTimeout(late);late=setTimeout(()=>{
       const {top,bottom}=it.getBoundingClientRect();
       if(top<innerHeight&&bottom>0)it.style.background='#0f0'},100)}</script>`,
  ),
  '/goes-on': solid(
    '#0f0',
    '<h1>wait</h1><div style="height:3000px"></div><script>onload=()=>setTimeout(()=>location="/",50)</script>',
  ),
  '/fades-in': solid(
    '#f00',
    `<style>@keyframes in{from{opacity:0}}@keyframes turn{to{rotate:1turn}}
     div{height:400px;background:#0f0;animation:in 3s}b{animation:turn 1s infinite}</style><div></div><b>o</b>`,
  ),
  '/slides-in': solid(
    '#f00',
    `<style>div{height:400px;background:#0f0;translate:0 -500px;transition:translate 3s}.in{translate:0}</style><div></div>
     <script>onload=()=>setTimeout(()=>{document.querySelector('div').className='in'})</script>`,
  ),
  '/goes-on-at-once': solid(
    '#0f0',
    '<script>onload=()=>setTimeout(()=>location.replace("/medium-red"),20)</script>',
  ),
  '/medium-red': solid('#f00', '<div style="height:3000px">'),
  '/moved':
    '<!doctype html><meta charset=utf-8><title>Moved</title><meta http-equiv=refresh content="0; url=/"><p>Moved',
  '/again-and-again': solid('#0f0', '<script>setTimeout(()=>location.reload(),30)</script>'),
  '/goes-blank': solid(
    '#0f0',
    '<script>onload=()=>setTimeout(()=>location="about:blank",70)</script>',
  ),
  '/then-a-file': solid('#0f0', '<meta http-equiv=refresh content="0;url=/download">'),
  '/lies': solid(
    '#fff',
    `<div id=it style="width:120px;height:60px;background:#00f"></div><script>
      Element.prototype.getBoundingClientRect=()=>({left:0,top:0,width:1e9,height:1e9});
      setTimeout=()=>{};Promise=class{}</script>`,
  ),
  '/banner-of-its-own': solid(
    '#0f0',
    '<div id=banner style="display:block!important;position:fixed;inset:0;background:#f00">',
  ),
  '/pdf': (_, response) => html(response, '%PDF-1.4', 'application/pdf'),
  '/no-content': (_, response) => void response.writeHead(204).end(),
  '/empty-error': (_, response) =>
    void response.writeHead(500, { 'Content-Type': 'text/html' }).end(),
  '/banner': solid('#0f0', '<div id=banner style="position:fixed;inset:0;background:#f00">'),
  '/ads': solid(
    '#0f0',
    `<style>div{position:absolute;inset:0;background:#f00}</style><script src=/ads/prebid.js></script>
     <img src=/banner-ad.gif width=200 height=200><div class=ad-banner-728x90></div>`,
  ),
  '/ads/prebid.js': (_, response) =>
    html(response, "document.body.style.background='#f00'", 'text/javascript'),
  '/banner-ad.gif': (_, response) =>
    html(response, drawImage(folder, 'ad.png', 200, 200), 'image/png'),
  '/consent': solid(
    '#0f0',
    '<script>setTimeout(()=>document.body.insertAdjacentHTML("beforeend",`<div id=onetrust-consent-sdk style="position:fixed;inset:0;background:#f00">`),50)</script>',
  ),
  '/redirect': redirect('http://b.test/'),
  '/redirects': redirect('/redirects'),
  '/to-file': redirect('file:///etc/passwd'),
  '/huge': (_, response) => html(response, 'x'.repeat(10 * 2 ** 20 + 1)),
  '/to-loopback': redirect('http://127.0.0.1/'),
  '/script-to-loopback': '<script>location="http://127.0.0.1/"</script>',
  '/alert': solid(
    '#0f0',
    '<script>alert(1);confirm(2);prompt(3);onbeforeunload=()=>1;print()</script>',
  ),
  '/popups': solid('#0f0', '<script>for(let i=0;i<50;i++)window.open("/"+i)</script>'),
  '/download': (_, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment' })
      .end('PK'),
  '/dead-third-party': solid(
    '#0f0',
    '<img src=http://nowhere.invalid/a.png><script src=http://b.test/reset></script>',
  ),
  '/reset': (request) => request.socket.destroy(),
  '/silent': () => {},
  // The page stores data in every way that a page can, and reports data that an earlier page stored.
  '/leaves': (request, response) => {
    if (request.headers.cookie) told.push(`sent ${request.headers.cookie}`);
    response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=1; Max-Age=9999' });
    response.end(
      solid(
        '#0f0',
        `<img src=/kept.png><script>(async () => {
          const tell = (what) => fetch('/tell?' + what);
          if (document.cookie.includes('old')) tell('cookie');
          if (localStorage.old) tell('localStorage');
          if (sessionStorage.old) tell('sessionStorage');
          if ((await indexedDB.databases()).length > 0) tell('indexedDB');
          if (navigator.storage && (await (await navigator.storage.getDirectory()).keys().next()).done === false) tell('files');
          if (window.caches && (await caches.keys()).length > 0) tell('caches');
          if ((await navigator.serviceWorker?.getRegistrations())?.length > 0) tell('service worker');
          const me = Math.random();
          new BroadcastChannel('x').onmessage = ({ data }) => data !== me && tell('channel');
          const other = new SharedWorker('/shared.js');
          other.port.onmessage = ({ data }) => data > 1 && tell('shared worker');
          document.cookie = 'old=1;max-age=9999'; localStorage.old = sessionStorage.old = '1';
          indexedDB.open('old'); window.caches?.open('old');
          (await navigator.storage?.getDirectory())?.getFileHandle('old', { create: true });
          navigator.serviceWorker?.register('/serves.js').catch(() => {});
          setInterval(() => new BroadcastChannel('x').postMessage(me), 50);
          await tell('');
          document.body.insertAdjacentHTML('beforeend', '<p id=told>x');
        })()</script>`,
      ),
    );
  },
  '/kept.png': (_, response) => {
    fromCache += 1;
    response
      .writeHead(200, { 'Content-Type': 'image/png', 'Cache-Control': 'max-age=9999, immutable' })
      .end(drawImage(folder, 'kept.png', 8, 8));
  },
  '/shared.js': (_, response) =>
    html(response, 'let n=0;onconnect=(e)=>e.ports[0].postMessage(++n)', 'text/javascript'),
  '/serves.js': (_, response) => html(response, 'onfetch=()=>{}', 'text/javascript'),
  '/tell': (request, response) => {
    told.push(request.url?.split('?')[1] ?? '');
    response.end();
  },
  '/spin': '<script>for(;;);</script>',
  '/loud': '<script>for(let i=0;i<9000;i++)new Image().src="http://10.0.0.1/"+i</script>',
  '/memory': solid(
    '#0f0',
    '<script>setTimeout(()=>{const a=[];for(;;)a.push(new Array(1e6).fill(Math.random()))},0)</script>',
  ),
  '/500': (_, response) =>
    void response.writeHead(500, { 'Content-Type': 'text/html' }).end(solid('#0f0')),
  '/empty': '',
};

const HOSTS = ['a.test', 'b.test'];
/** The service with default settings. `hurried` has a short time limit and a thumbnail service. */
let service: WebService;
let hurried: WebService;
beforeAll(async () => {
  [service, hurried] = await Promise.all([
    openWebService(HOSTS, ANSWERS, { TRUSTED_PROXY: 'on' }),
    openWebService(HOSTS, ANSWERS, {
      SCREENSHOT_SECONDS: '8',
      SCREENSHOT_FALLBACK_URL: 'https://thumbs.example/?u={url}&w={width}',
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([service?.close(), hurried?.close()]);
  rmSync(folder, { recursive: true });
});

const shoot = (path: string, options: Record<string, unknown> = {}): Promise<Ran> =>
  service.run('screenshot_url', { url: `http://a.test${path}`, ...options });

/** Captures a page at 200 × 200 pixels. */
const small = async (path: string, options: Record<string, unknown> = {}): Promise<Image> =>
  image(await shoot(path, { width: 200, height: 200, ...options }));

/** Returns the command line of a process. Returns an empty string if the process has exited. */
function commandOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the process IDs of a service's open browsers. */
const browsersOf = ({ child }: WebService): number[] =>
  [...descendantsOf(child.pid!).keys()].filter((id) => {
    const command = commandOf(id);
    return command.includes('--remote-debugging-port') && !command.includes('--type=');
  });

/** Returns the total number of running and waiting captures. */
async function capturesOf({ baseUrl }: WebService): Promise<number> {
  const metrics = parsePrometheus(await (await fetch(`${baseUrl}/metrics`)).text());
  const samples = metrics.get('tools_browser_captures')?.samples ?? [];
  return samples.reduce((sum, { value }) => sum + value, 0);
}

interface Image {
  format: string;
  width: number;
  height: number;
  /** Returns the red, green and blue values of a pixel. */
  at(x: number, y: number): number[];
}

/** Downloads and decodes the image of a result. */
async function image({ status, body }: Ran): Promise<Image> {
  expect(status, JSON.stringify(body)).toBe(200);
  const response = await fetch(body.url);
  expect(response.status).toBe(200);
  const bytes = await response.bytes();
  expect(bytes.byteLength).toBe(body.bytes);
  const { format, width, height } = measureImage(bytes) as {
    format: string;
    width: number;
    height: number;
  };
  const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
  return {
    format,
    width,
    height,
    at: (x, y) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)],
  };
}

/** Whether two colors are almost equal. Lossy formats do not preserve exact colors. */
const near = (color: number[], expected: number[]) =>
  expect(color.map((value, index) => Math.abs(value - expected[index]!) < 40)).toEqual([
    true,
    true,
    true,
  ]);
const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];

describe('screenshot_url', () => {
  it('returns url, screenshotUrl, width, height, format, bytes, cached and source', async () => {
    const ran = await shoot('/');
    expect(ran.body).toEqual({
      url: expect.stringMatching(/\/files\/\w+\/[\w.-]+-\d{4}-\d\d-\d\d\.webp$/),
      screenshotUrl: ran.body.url,
      width: 1280,
      height: 800,
      format: 'webp',
      bytes: expect.any(Number),
      cached: false,
      source: 'vps',
      expiresAt: expect.stringMatching(/^\d{4}-/),
    });
    const shot = await image(ran);
    expect(shot).toMatchObject({ format: 'webp', width: 1280, height: 800 });
    near(shot.at(640, 400), RED);
  });

  it('caches the result of an identical request', async () => {
    const first = await shoot('/?kept', { width: 400 });
    const before = service.upstream.seen.length;
    expect((await shoot('/?kept', { width: 400 })).body).toEqual({ ...first.body, cached: true });
    expect(service.upstream.seen.length).toBe(before);
    expect((await shoot('/?kept', { width: 401 })).body.cached).toBe(false);
  });

  it('captures in webp, png or jpeg, and uses webp for an unknown format', async () => {
    const formats = { png: 'png', jpeg: 'jpeg', tiff: 'webp' };
    for (const [format, drawn] of Object.entries(formats)) {
      const ran = await shoot('/', { format, width: 300, height: 200 });
      expect(await image(ran)).toMatchObject({ format: drawn, width: 300, height: 200 });
      expect(ran.body.format).toBe(drawn);
      if (format === 'tiff') expect(ran.headers.get('X-Tool-Warnings')).toMatch(/format/);
    }
  });

  it('clamps and truncates numbers, and reports it', async () => {
    const small = await shoot('/', { width: 1, height: -5 });
    const large = await shoot('/', { width: 99_999, height: 99_999, format: 'jpeg' });
    const cut = await shoot('/', { width: 300.9, height: 200.9 });
    expect(small.body).toMatchObject({ width: 200, height: 200 });
    expect(small.headers.get('X-Tool-Warnings')).toMatch(/width.*height/);
    expect(large.body).toMatchObject({ width: 3840, height: 4320 });
    expect(cut.body).toMatchObject({ width: 300, height: 200 });
  });

  it('prints a page as a PDF of as many sheets as needed', async () => {
    const { status, body } = await shoot('/medium', { output: 'pdf' });
    expect([status, body.format, body.height]).toEqual([200, 'pdf', null]);
    const stored = await fetch(body.url);
    expect(stored.headers.get('Content-Type')).toBe('application/pdf');
    const printed = Buffer.from(await stored.arrayBuffer()).toString('latin1');
    // The page is 3,000 CSS pixels (31 inches) long, and a sheet is 11 inches long.
    expect(/\/Type \/Pages\s+\/Count (\d+)/.exec(printed)?.[1]).toBe('3');
  });

  it.each([
    [100, null],
    [101, expect.stringContaining('only the first 100 pages')],
  ])('reports what was cut from a page of %i sheets', async (sheets, warning) => {
    const { status, headers } = await shoot(`/sheets-${sheets}`, { output: 'pdf' });
    expect([status, headers.get('X-Tool-Warnings')]).toEqual([200, warning]);
  });

  it('captures the full page, without a height in the response', async () => {
    const ran = await shoot('/medium', { fullPage: true, width: 400 });
    expect(ran.body.height).toBeNull();
    expect(await image(ran)).toMatchObject({ width: 400, height: 3000 });
  });

  it('truncates pages at 12,000 px, and reports it', async () => {
    const ran = await shoot('/tall', { fullPage: true, width: 200 });
    const shot = await image(ran);
    expect(shot).toMatchObject({ width: 200, height: 12_000 });
    near(shot.at(100, 11_990), GREEN);
    expect(ran.headers.get('X-Tool-Warnings')).toContain(
      '200 x 100000 px and was cut to 200 x 12000',
    );
    const scaled = await shoot('/tall', { selector: 'body > div', width: 200, scale: 3 });
    expect((await image(scaled)).height).toBe(16_383);
    expect(scaled.headers.get('X-Tool-Warnings')).toMatch(/^selector: .* cut to 200 x 5461/);
  });

  it('loads lazy images', async () => {
    const shot = await image(await shoot('/lazy', { fullPage: true, width: 400 }));
    const colors = new Set([20, 100, 200, 300, 380].map((x) => shot.at(x, 4250).join()));
    expect(colors.size).toBeGreaterThan(1);
  });

  it('waits for fonts and images that only the layout requests', async () => {
    for (const path of ['/font', '/still-lazy', '/behind'])
      expect([path, (await small(path, { format: 'png' })).at(100, 100)]).toEqual([path, GREEN]);
  });

  it('captures fading and sliding elements in their final state, despite endless animations', async () => {
    for (const path of ['/fades-in', '/slides-in'])
      expect([path, (await small(path, { format: 'png' })).at(100, 100)]).toEqual([path, GREEN]);
  });

  it('waits for slow lazy images, and for loaders that wait for the end of scrolling', async () => {
    const options = { fullPage: true, width: 400 };
    const [slow, debounced] = await Promise.all([
      shoot('/lazy-slow', options).then(image),
      shoot('/lazy-debounced', options).then(image),
    ]);
    const colors = new Set([20, 100, 200, 300, 380].map((x) => slow.at(x, 3250).join()));
    expect(colors.size).toBeGreaterThan(1);
    near(debounced.at(200, 3250), GREEN);
  });

  it('captures the page that a page redirects to by script', async () => {
    const ways = someOf<readonly [string, Record<string, unknown>]>(
      [
        ['/goes-on', { fullPage: true }],
        ['/goes-on', { hideSelectors: ['h2'] }],
        ['/goes-on-at-once', { fullPage: true, height: 210 }],
        ['/goes-on-at-once', { blockAds: true }],
        ['/goes-on-at-once', { selector: 'body' }],
        ...[0, 1, 2].map((delayMs) => ['/moved', { delayMs }] as const),
        ['/moved', { fullPage: true }],
      ],
      2,
    );
    for (const [path, options] of ways) {
      const shot = await small(path, options);
      expect([path, options, shot.at(9, 9)[0]! > 200, shot.at(9, 9)[1]! < 40]).toEqual([
        ...[path, options, true, true],
      ]);
    }
  });

  it('captures a page that reloads repeatedly, goes blank, or starts a download', async () => {
    for (const path of ['/again-and-again', '/then-a-file']) {
      near((await small(path)).at(150, 150), GREEN);
      near((await small(path, { fullPage: true })).at(150, 150), GREEN);
    }
    for (const delayMs of [0, 20])
      expect((await shoot('/goes-blank', { delayMs, width: 200 })).status).toBe(200);
  });

  it('measures elements without interference from the scripts of the page', async () => {
    const options = { selector: '#it', format: 'png', fullPage: true };
    expect(await image(await shoot('/lies', options))).toMatchObject({ width: 120, height: 60 });
  });

  it('renders in dark mode', async () => {
    near((await small('/dark')).at(9, 9), [255, 255, 255]);
    near((await small('/dark', { darkMode: true })).at(9, 9), BLUE);
  });

  it('waits delayMs after the load event', async () => {
    near((await small('/late?300000')).at(9, 9), RED);
    near((await small('/late?1000', { delayMs: 2500 })).at(9, 9), GREEN);
  });

  it('captures one element, at up to three times its pixels', async () => {
    const shot = await image(await shoot('/element', { selector: '#it', scale: 2, format: 'png' }));
    const large = await shoot('/', { scale: 9, width: 200, height: 200 });
    expect(shot).toMatchObject({ width: 240, height: 120 });
    expect(shot.at(120, 60)).toEqual(BLUE);
    expect(large.body).toMatchObject({ width: 600, height: 600 });
  });

  it('waits for an element, and hides others', async () => {
    const hideSelectors = ['#banner', '.x'];
    near((await small('/appears', { waitFor: '#here' })).at(150, 150), GREEN);
    near((await small('/banner', { hideSelectors })).at(9, 9), GREEN);
    near((await small('/banner-of-its-own', { hideSelectors })).at(9, 9), GREEN);
  });

  it('removes advertisements with blockAds: their requests and their elements', async () => {
    near((await small('/ads')).at(190, 190), RED);
    const requested = () =>
      service.upstream.seen.filter((line) => /prebid|banner-ad/.test(line)).length;
    const before = requested();
    expect(before).toBe(2);
    const shot = await small('/ads', { blockAds: true });
    for (const at of [5, 100, 190]) near(shot.at(at, at), GREEN);
    expect(requested()).toBe(before);
  });

  it('removes cookie banners with blockAds, even late ones', async () => {
    near((await small('/consent', { delayMs: 500 })).at(100, 100), RED);
    near((await small('/consent', { delayMs: 500, blockAds: true })).at(100, 100), GREEN);
  });

  it('returns 400 for an invalid selector, and 422 for one that matches nothing', async () => {
    for (const options of [{ selector: '!!' }, { waitFor: '((' }, { hideSelectors: ['{'] }]) {
      expect(await shoot('/', options)).toMatchObject({
        status: 400,
        body: { param: Object.keys(options)[0] },
      });
    }
    expect(await shoot('/', { selector: '#nowhere' })).toMatchObject({
      status: 422,
      body: { code: 'tool_failed' },
    });
  });

  it('follows redirects, checks each, and returns 400 if the page is not public', async () => {
    expect((await shoot('/redirect', { width: 200 })).status).toBe(200);
    const urls = [
      ...['http://a.test/to-loopback', 'http://a.test/script-to-loopback', 'http://127.0.0.1/'],
      ...['http://[::1]/', 'http://localhost/', 'http://10.0.0.1/', 'http://169.254.169.254/'],
      ...['ftp://a.test/', 'file:///etc/passwd', 'a.test', 'about:blank', 'data:text/html,x'],
      'chrome://version',
    ];
    for (const url of urls) {
      expect([url, await service.run('screenshot_url', { url })]).toMatchObject([
        url,
        { status: 400, body: { code: 'bad_request', param: 'url' } },
      ]);
    }
  });

  it('returns 502 if the page cannot be captured', async () => {
    const why = {
      'nowhere.invalid/': /does not resolve .* Check its spelling/,
      'a.test/reset': /closed the connection/,
      'a.test/redirects': /redirects too many times/,
    };
    const isSaid = async (each: WebService, url: keyof typeof why) =>
      expect([url, await each.run('screenshot_url', { url: `http://${url}` })]).toMatchObject([
        url,
        {
          status: 502,
          body: { code: 'tool_failed', param: 'url', error: expect.stringMatching(why[url]) },
        },
      ]);
    for (const url of Object.keys(why)) await isSaid(service, url as keyof typeof why);
  });

  it('explains why a download, an empty response or one over the traffic limit is refused', async () => {
    const why = {
      '/download': [400, /a download \(application\/zip\)/],
      '/pdf': [400, /a download \(application\/pdf\)/],
      '/to-file': [400, /redirects to a target that is not an http or https URL/],
      '/huge': [400, /exceeds the limit of 10 MB/],
      '/no-content': [502, /status 204/],
      '/empty-error': [502, /status 500 and an empty page/],
      '/loud': [502, /exceeds the traffic limit/],
    } as const;
    for (const [path, [status, message]] of Object.entries(why)) {
      expect([path, await shoot(path)]).toMatchObject([
        path,
        { status, body: { param: 'url', error: expect.stringMatching(message) } },
      ]);
    }
  });

  it('captures what loads if third parties fail, and ignores the status', async () => {
    for (const path of ['/dead-third-party', '/500', '/alert', '/popups'])
      near((await small(path)).at(150, 150), GREEN);
    expect((await shoot('/empty', { width: 200, height: 200 })).status).toBe(200);
  });

  it('reuses one browser without earlier cookies, storage, caches or workers', async () => {
    // The failed capture closes the browser, so the next capture gets a new one.
    expect((await shoot('/redirects?before')).status).toBe(502);
    await small('/?warm');
    const browsers = browsersOf(service);
    for (let time = 0; time < 3; time += 1) {
      const url = `https://a.test/leaves?${time}`;
      const { status } = await service.run('screenshot_url', {
        url,
        waitFor: '#told',
        delayMs: 500,
      });
      expect(status).toBe(200);
    }
    // No page found data from another page. Each page requested the image again instead of reading it from a cache.
    expect([told, fromCache]).toEqual([['', '', ''], 3]);
    expect([browsers.length, browsersOf(service)]).toEqual([1, browsers]);
  });

  it('keeps the browser after an error of the caller', async () => {
    await small('/?before-the-error');
    const browsers = browsersOf(service);
    expect((await shoot('/', { selector: '!!' })).status).toBe(400);
    const missing = { status: 422, body: { param: 'selector' } };
    expect(await shoot('/', { selector: '#nowhere' })).toMatchObject(missing);
    expect(browsersOf(service)).toEqual(browsers);
  });

  it('starts a browser without pages of its user interface', async () => {
    await small('/?alone');
    const renderers = [...descendantsOf(service.child.pid!).keys()]
      .map(commandOf)
      .filter((command) => command.includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThan(0);
    expect(renderers.filter((command) => command.includes('--top-chrome-webui'))).toEqual([]);
  });

  it('renders once for concurrent identical requests', async () => {
    const before = service.upstream.seen.length;
    const shots = await Promise.all(
      [1, 2, 3].map(() => shoot('/?same', { width: 200, height: 200 })),
    );
    expect(new Set(shots.map(({ body }) => body.url)).size).toBe(1);
    expect(
      service.upstream.seen.slice(before).filter((line) => line.endsWith('/?same')),
    ).toHaveLength(1);
  });
});

describe('screenshot_url under attack', () => {
  it('stops pages that spin or exhaust memory after its budget, and serves others meanwhile', async () => {
    const size = { width: 200, height: 200 };
    const draw = (path: string) =>
      hurried.run('screenshot_url', { url: `http://a.test${path}`, ...size });
    const wasRequested = (path: string) =>
      hurried.upstream.seen.some((line) => line.endsWith(path));
    // Starting a browser may use up the whole time limit on a busy machine.
    const drawRequested = async (path: string) => {
      let ran = await draw(path);
      while (!wasRequested(path)) ran = await draw(path);
      return ran;
    };
    const [spun, ate, meanwhile] = await Promise.all([
      ...['/spin', '/memory'].map(drawRequested),
      draw('/?meanwhile'),
    ]);
    expect(meanwhile!.status).toBe(200);
    // The thumbnail service gets only the width.
    const address = 'https://thumbs.example/?u=http%3A%2F%2Fa.test%2Fspin&w=200';
    expect(spun!.body).toEqual({
      url: address,
      screenshotUrl: address,
      width: 200,
      cached: false,
      source: 'fallback',
    });
    expect(ate!.status).toBe(200);
    expect((await draw('/?afterwards')).status).toBe(200);
  });

  it('accepts 20 concurrent captures, and returns 503 for the 21st', async () => {
    // The captures come from different callers, because a single caller may run only two at a time.
    const capture = (index: number, send?: typeof fetch) =>
      service.run(
        'screenshot_url',
        { url: `http://a.test/held?${index}`, width: 200, height: 200 },
        {
          headers: {
            'Content-Type': 'application/json',
            'X-Forwarded-For': `198.51.100.${index}`,
          },
        },
        send,
      );
    const admitted = Array.from({ length: 20 }, (_, index) => capture(index));
    await expect.poll(() => capturesOf(service)).toBe(20);
    const refused = await capture(20, fetchOnce);
    release();
    expect(refused).toMatchObject({ status: 503, body: { code: 'internal', retryAfter: 10 } });
    expect(refused.headers.get('Retry-After')).toBe('10');
    const statuses = (await Promise.all(admitted)).map(({ status }) => status);
    expect(statuses).toEqual(Array(20).fill(200));
  });
});
