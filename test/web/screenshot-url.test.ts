import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measurePicture } from '../../src/web/image-size.ts';
import { type Answer, html, redirect } from '../support/far-side.ts';
import { drawPicture } from '../support/pictures.ts';
import { openWebService, type Ran, type WebService } from '../support/web-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-shots-'));
const solid = (color: string, more = '') =>
  `<!doctype html><meta charset=utf-8><body style="margin:0;background:${color}">${more}`;
let visits = 0;

const ANSWERS: Record<string, Answer | string> = {
  '/': solid('#f00'),
  '/dark': solid(
    '#fff',
    '<style>@media (prefers-color-scheme:dark){body{background:#00f !important}}</style>',
  ),
  '/late': solid(
    '#f00',
    '<script>setTimeout(()=>document.body.style.background="#0f0",1500)</script>',
  ),
  '/tall': solid('#0f0', '<div style="height:100000px">'),
  '/medium': solid('#0f0', '<div style="height:3000px">'),
  '/lazy': solid(
    '#fff',
    '<div style="height:4000px"></div><img loading=lazy style="display:block;width:100%;height:500px" src=/slow.png>',
  ),
  '/slow.png': (_, response) => {
    setTimeout(() => html(response, drawPicture(folder, 'lazy.png', 64, 64), 'image/png'), 300);
  },
  '/element': solid(
    '#fff',
    '<div style="height:2000px"></div><div id=it style="width:120px;height:60px;background:#00f"></div>',
  ),
  '/appears': solid(
    '#f00',
    '<script>setTimeout(()=>{document.body.innerHTML="<p id=here>x";document.body.style.background="#0f0"},1200)</script>',
  ),
  '/banner': solid('#0f0', '<div id=banner style="position:fixed;inset:0;background:#f00">'),
  '/redirect': redirect('http://b.test/'),
  '/redirects': redirect('/redirects'),
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
  '/cookie': (request, response) => {
    visits += 1;
    const seen = request.headers.cookie ?? '';
    response.writeHead(200, {
      'Content-Type': 'text/html',
      'Set-Cookie': `seen=${visits}; Max-Age=9999`,
    });
    response.end(
      solid(
        seen ? '#f00' : '#0f0',
        `<script>if(document.cookie.includes('old')||localStorage.old)document.body.style.background='#f00';
         document.cookie='old=1;max-age=9999';localStorage.old='1'</script>`,
      ),
    );
  },
  '/spin': '<script>for(;;);</script>',
  '/memory': solid(
    '#0f0',
    '<script>setTimeout(()=>{const a=[];for(;;)a.push(new Array(1e6).fill(Math.random()))},0)</script>',
  ),
  '/500': (_, response) =>
    void response.writeHead(500, { 'Content-Type': 'text/html' }).end(solid('#0f0')),
  '/empty': '',
};

let service: WebService;
beforeAll(async () => {
  service = await openWebService(['a.test', 'b.test'], ANSWERS);
}, 60_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const shoot = (path: string, options: Record<string, unknown> = {}): Promise<Ran> =>
  service.run('screenshot_url', { url: `http://a.test${path}`, ...options });

interface Picture {
  format: string;
  width: number;
  height: number;
  /** Red, green, blue of one pixel. */
  at(x: number, y: number): number[];
}

/** The picture that a result names, decoded by ffmpeg. */
async function picture({ status, body }: Ran): Promise<Picture> {
  expect(status, JSON.stringify(body)).toBe(200);
  const response = await fetch(body.url);
  expect(response.status).toBe(200);
  const bytes = await response.bytes();
  expect(bytes.byteLength).toBe(body.bytes);
  const { format, width, height } = measurePicture(bytes) as {
    format: string;
    width: number;
    height: number;
  };
  const path = join(folder, 'shot');
  writeFileSync(path, bytes);
  const pixels = execFileSync(
    'ffmpeg',
    ['-nostdin', '-loglevel', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    { maxBuffer: 2 ** 30 },
  );
  return {
    format,
    width,
    height,
    at: (x, y) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)],
  };
}

/** Whether a colour is about this one: lossy formats are a little off. */
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
  it('answers url, screenshotUrl, width, height, format, bytes, cached and source', async () => {
    const ran = await shoot('/');
    expect(ran.body).toEqual({
      url: expect.stringMatching(/\/files\/\w+\/screenshot\.webp$/),
      screenshotUrl: ran.body.url,
      width: 1280,
      height: 800,
      format: 'webp',
      bytes: expect.any(Number),
      cached: false,
      source: 'vps',
    });
    const shot = await picture(ran);
    expect(shot).toMatchObject({ format: 'webp', width: 1280, height: 800 });
    near(shot.at(640, 400), RED);
  });

  it('keeps the result of an identical request', async () => {
    const first = await shoot('/?kept', { width: 400 });
    const before = service.far.seen.length;
    expect((await shoot('/?kept', { width: 400 })).body).toEqual({ ...first.body, cached: true });
    expect(service.far.seen.length).toBe(before);
    expect((await shoot('/?kept', { width: 401 })).body.cached).toBe(false);
  });

  it('draws in webp, png or jpeg; an unrecognised format is webp', async () => {
    for (const [format, drawn] of [
      ['png', 'png'],
      ['jpeg', 'jpeg'],
      ['tiff', 'webp'],
    ] as const) {
      const ran = await shoot('/', { format, width: 300, height: 200 });
      expect(await picture(ran)).toMatchObject({ format: drawn, width: 300, height: 200 });
      expect(ran.body.format).toBe(drawn);
      if (format === 'tiff') expect(ran.headers.get('X-Tool-Warnings')).toMatch(/format/);
    }
  });

  it('clamps numbers and cuts fractions off, and says so', async () => {
    const small = await shoot('/', { width: 1, height: -5 });
    expect(small.body).toMatchObject({ width: 200, height: 200 });
    expect(small.headers.get('X-Tool-Warnings')).toMatch(/width.*height/);
    expect((await shoot('/', { width: 99_999, height: 99_999 })).body).toMatchObject({
      width: 3840,
      height: 4320,
    });
    expect((await shoot('/', { width: 300.9, height: 200.9 })).body).toMatchObject({
      width: 300,
      height: 200,
    });
  });

  it('draws the whole page, without a height in the answer', async () => {
    const ran = await shoot('/medium', { fullPage: true, width: 400 });
    expect(ran.body.height).toBeNull();
    expect(await picture(ran)).toMatchObject({ width: 400, height: 3000 });
  });

  it('truncates pages at 12,000 px', async () => {
    const ran = await shoot('/tall', { fullPage: true });
    const shot = await picture(ran);
    expect(shot).toMatchObject({ width: 1280, height: 12_000 });
    near(shot.at(600, 11_990), GREEN);
  });

  it('really loads lazy images', async () => {
    const shot = await picture(await shoot('/lazy', { fullPage: true, width: 400 }));
    const colors = new Set([20, 100, 200, 300, 380].map((x) => shot.at(x, 4250).join()));
    expect(colors.size).toBeGreaterThan(1);
  });

  it('renders in dark mode', async () => {
    near(
      (await picture(await shoot('/dark', { width: 200, height: 200 }))).at(9, 9),
      [255, 255, 255],
    );
    near(
      (await picture(await shoot('/dark', { width: 200, height: 200, darkMode: true }))).at(9, 9),
      BLUE,
    );
  });

  it('waits delayMs after the load', async () => {
    near((await picture(await shoot('/late', { width: 200, height: 200 }))).at(9, 9), RED);
    near(
      (await picture(await shoot('/late', { width: 200, height: 200, delayMs: 2000 }))).at(9, 9),
      GREEN,
    );
  });

  it('draws one element, at up to three times its pixels', async () => {
    const shot = await picture(
      await shoot('/element', { selector: '#it', scale: 2, format: 'png' }),
    );
    expect(shot).toMatchObject({ width: 240, height: 120 });
    expect(shot.at(120, 60)).toEqual(BLUE);
    expect((await shoot('/', { scale: 9, width: 200, height: 200 })).body).toMatchObject({
      width: 600,
      height: 600,
    });
  });

  it('waits for an element, and hides others', async () => {
    near(
      (await picture(await shoot('/appears', { waitFor: '#here', width: 200, height: 200 }))).at(
        150,
        150,
      ),
      GREEN,
    );
    const hidden = await shoot('/banner', {
      hideSelectors: ['#banner', '.x'],
      width: 200,
      height: 200,
    });
    near((await picture(hidden)).at(9, 9), GREEN);
  });

  it('is 400 for a selector that is none, 422 for one that matches nothing', async () => {
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

  it('follows redirects, judges each, and is 400 where the page is not public', async () => {
    expect((await shoot('/redirect', { width: 200 })).status).toBe(200);
    for (const url of [
      ...[
        'http://a.test/to-loopback',
        'http://a.test/script-to-loopback',
        'http://127.0.0.1/',
        'http://[::1]/',
      ],
      ...[
        'http://localhost/',
        'http://10.0.0.1/',
        'http://169.254.169.254/',
        'ftp://a.test/',
        'file:///etc/passwd',
      ],
      ...['a.test', 'about:blank', 'data:text/html,x', 'chrome://version'],
    ]) {
      expect([url, await service.run('screenshot_url', { url })]).toMatchObject([
        url,
        { status: 400, body: { code: 'bad_request', param: 'url' } },
      ]);
    }
  });

  it('is 502 where the page cannot be drawn', async () => {
    for (const url of [
      ...[
        'http://nowhere.invalid/',
        'http://a.test/reset',
        'http://a.test/redirects',
        'http://a.test/download',
      ],
    ]) {
      expect([url, await service.run('screenshot_url', { url })]).toMatchObject([
        url,
        { status: 502, body: { code: 'tool_failed' } },
      ]);
    }
  });

  it('draws what there is where third parties fail, and does not check the status', async () => {
    for (const path of ['/dead-third-party', '/500', '/alert', '/popups']) {
      near((await picture(await shoot(path, { width: 200, height: 200 }))).at(150, 150), GREEN);
    }
    expect((await shoot('/empty', { width: 200, height: 200 })).status).toBe(200);
  });

  it('draws each time in a fresh browser: no cookies, no storage of the time before', async () => {
    for (let time = 0; time < 2; time += 1) {
      const shot = await picture(await shoot(`/cookie?${time}`, { width: 200, height: 200 }));
      near(shot.at(100, 100), GREEN);
    }
  });

  it('renders once for identical requests at the same moment', async () => {
    const before = service.far.seen.length;
    const shots = await Promise.all(
      [1, 2, 3].map(() => shoot('/?same', { width: 200, height: 200 })),
    );
    expect(new Set(shots.map(({ body }) => body.url)).size).toBe(1);
    expect(service.far.seen.slice(before).filter((line) => line.endsWith('/?same'))).toHaveLength(
      1,
    );
  });
});

describe('screenshot_url, in the hands of others', () => {
  it('gives up after 50 seconds on pages that spin or eat memory, and serves others meanwhile', async () => {
    const started = Date.now();
    const hostile = ['/spin', '/memory'].map((path) => shoot(path, { width: 200, height: 200 }));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await shoot('/?meanwhile', { width: 200, height: 200 })).status).toBe(200);
    for (const ran of await Promise.all(hostile)) {
      expect([200, 502]).toContain(ran.status);
    }
    expect(Date.now() - started).toBeLessThan(58_000);
  }, 90_000);

  it('lets 20 at once succeed, and answers 503 to the 21st', async () => {
    const shots = await Promise.all(
      Array.from({ length: 21 }, (_, index) =>
        shoot(`/?load=${index}`, { width: 200, height: 200 }),
      ),
    );
    expect(shots.map(({ status }) => status).sort()).toEqual([...Array(20).fill(200), 503]);
    const refused = shots.find(({ status }) => status === 503)!;
    expect(refused.body).toMatchObject({ code: 'internal', retryAfter: 10 });
    expect(refused.headers.get('Retry-After')).toBe('10');
  }, 120_000);
});

describe('screenshot_url, as the operator has it', () => {
  it('answers 403 where it is switched off', async () => {
    const other = await openWebService([], {}, { SCREENSHOTS: 'off' });
    try {
      expect(await other.run('screenshot_url', { url: 'http://a.test/' })).toMatchObject({
        status: 403,
        body: { code: 'tool_unsupported' },
      });
    } finally {
      await other.close();
    }
  });

  it('falls back to the configured thumbnail service, with width only, and keeps nothing', async () => {
    const other = await openWebService(['a.test'], ANSWERS, {
      SCREENSHOT_FALLBACK_URL: 'https://thumbs.example/?u={url}&w={width}',
    });
    try {
      for (let time = 0; time < 2; time += 1) {
        const { status, body } = await other.run('screenshot_url', {
          url: 'http://a.test/reset?a=b',
          width: 500,
          fullPage: true,
        });
        const address = 'https://thumbs.example/?u=http%3A%2F%2Fa.test%2Freset%3Fa%3Db&w=500';
        expect([status, body]).toEqual([
          200,
          { url: address, screenshotUrl: address, width: 500, cached: false, source: 'fallback' },
        ]);
      }
      expect((await other.run('screenshot_url', { url: 'http://127.0.0.1/' })).status).toBe(400);
    } finally {
      await other.close();
    }
  });
});
