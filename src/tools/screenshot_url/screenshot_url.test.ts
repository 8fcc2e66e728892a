import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { unlimitedStorage } from '../../../test/support/unlimited-storage.ts';
import { CachedResults } from '../../adapters/cached-results.ts';
import { R2Cache } from '../../adapters/r2-cache.ts';
import { R2Files } from '../../adapters/r2-files.ts';
import { parametersSchema } from '../../catalogue/json-schema.ts';
import { upstreamFailed } from '../../core/errors.ts';
import type { BrowserPort, CaptureOptions } from '../../core/ports.ts';
import { fileExpiry } from '../../lib/file-id.ts';
import { screenshotUrl } from './screenshot_url.ts';

/** The header of a GIF of 30 × 20 pixels. test/web captures real pages with a real browser. */
const IMAGE = Uint8Array.from([...new TextEncoder().encode('GIF89a'), 30, 0, 20, 0, 0, 0, 0]);

function setting(browser: Partial<BrowserPort> = {}) {
  const requested: CaptureOptions[] = [];
  const capture: BrowserPort['capture'] = async (_, options) => {
    requested.push(options);
    return { content: IMAGE };
  };
  const port: BrowserPort = { isOn: true, fallbackFor: () => undefined, capture, ...browser };
  const ports = {
    browser: port,
    results: new CachedResults(new R2Cache(env.FILES, unlimitedStorage)),
    storage: new R2Files(env.FILES, 'https://tools.example', unlimitedStorage),
  };
  const shoot = (parameters: Record<string, unknown>) =>
    runTool(screenshotUrl, parameters, { ports });
  return { requested, shoot };
}

describe('screenshot_url', () => {
  it('has the defaults of the contract', async () => {
    const { requested, shoot } = setting();
    await shoot({ url: 'https://example.com/defaults' });
    expect(requested).toEqual([
      {
        ...{
          width: 1280,
          height: 800,
          fullPage: false,
          format: 'webp',
          darkMode: false,
          delayMs: 0,
        },
        scale: 1,
        hideSelectors: [],
      },
    ]);
  });

  it('publishes its defaults in the schema, including those of clamped values', () => {
    const { properties = {} } = parametersSchema(screenshotUrl);
    const defaults = Object.entries(properties).map(([name, part]) => [name, part.default]);
    expect(Object.fromEntries(defaults)).toMatchObject({
      width: 1280,
      height: 800,
      fullPage: false,
      format: 'webp',
      darkMode: false,
      delayMs: 0,
      scale: 1,
    });
  });

  it('prints a PDF regardless of image options, and has no fallback for it', async () => {
    const content = new TextEncoder().encode('%PDF-1.4');
    const requested: CaptureOptions[] = [];
    const capture: BrowserPort['capture'] = async (_, options) => {
      requested.push(options);
      return { content };
    };
    const { shoot } = setting({ capture });
    const url = 'https://example.com/printed';
    const { value } = await shoot({ url, output: 'pdf', format: 'jpeg', scale: 3 });
    expect(requested).toMatchObject([{ output: 'pdf', fullPage: true, scale: 1 }]);
    expect(value).toMatchObject({ width: 1280, height: null, format: 'pdf', bytes: 8 });
    expect(value.url).toMatch(/\/[\w.-]+-\d{4}-\d\d-\d\d\.pdf$/);
    expect((await shoot({ url, output: 'pdf', format: 'webp' })).value.cached).toBe(true);
    await expect(shoot({ url, output: 'pdf', selector: 'p' })).rejects.toMatchObject({
      status: 400,
      param: 'selector',
    });
    const failing = setting({
      capture: () => Promise.reject(upstreamFailed('no')),
      fallbackFor: () => 'https://thumbnails.example/',
    });
    await expect(
      failing.shoot({ url: 'https://example.com/unprinted', output: 'pdf' }),
    ).rejects.toMatchObject({ status: 502 });
  });

  it('clamps width, height and delayMs and truncates fractions, with a warning', async () => {
    const { requested, shoot } = setting();
    const url = 'https://example.com/clamped';
    const low = await shoot({ url, width: -1, height: 0, delayMs: -5, scale: 0 });
    const high = await shoot({ url, width: 1e9, height: 1e9, delayMs: 1e9 });
    const cut = await shoot({ url, width: 200.99, height: 4319.5, delayMs: 0.9, scale: 1.5 });
    expect(requested).toMatchObject([
      { width: 200, height: 200, delayMs: 0, scale: 1 },
      { width: 3840, height: 4320, delayMs: 5000 },
      { width: 200, height: 4319, delayMs: 0, scale: 1.5 },
    ]);
    expect([low, high, cut].map(({ warnings }) => warnings.length)).toEqual([4, 3, 3]);
  });

  it('ignores height for full pages, in the cache key and in the viewport', async () => {
    const { requested, shoot } = setting();
    const url = 'https://example.com/full';
    expect((await shoot({ url, fullPage: true, height: 300 })).value).toMatchObject({
      cached: false,
      height: null,
    });
    expect((await shoot({ url, fullPage: true, height: 900 })).value).toMatchObject({
      cached: true,
    });
    expect((await shoot({ url, fullPage: true, delayMs: 1 })).value).toMatchObject({
      cached: false,
    });
    expect(requested).toHaveLength(2);
    expect(requested.map(({ height }) => height)).toEqual(requested.map(() => 800));
  });

  it('stores an image that expires a day after the cached result of 7 days', async () => {
    const { value } = await setting().shoot({ url: 'https://example.com/life' });
    const end = fileExpiry((value.url as string).split('/')[4]!)!;
    expect((end - Date.now()) / 86_400_000).toBeCloseTo(8, 1);
    expect(screenshotUrl.output?.strict().parse(value)).toEqual(value);
  });

  it('lowers a scale that would exceed 100 megapixels', async () => {
    const { requested, shoot } = setting();
    const { warnings } = await shoot({
      url: 'https://example.com/large',
      width: 3840,
      height: 4320,
      scale: 3,
    });
    expect(requested[0]?.scale).toBe(2.4);
    expect(warnings.join()).toMatch(/scale: lowered/);
  });

  it('returns 502 without a fallback and the page’s own 400 with one', async () => {
    const url = 'https://example.com/fails';
    const capture = async () => {
      throw upstreamFailed('no');
    };
    await expect(setting({ capture }).shoot({ url })).rejects.toMatchObject({
      status: 502,
      param: 'url',
    });
    const fallbackFor = (address: string, width: number) =>
      `https://thumbs.example/${width}/${address}`;
    const { shoot } = setting({ capture, fallbackFor });
    for (let time = 0; time < 2; time += 1) {
      expect((await shoot({ url, width: 300 })).value).toEqual({
        url: `https://thumbs.example/300/${url}`,
        screenshotUrl: `https://thumbs.example/300/${url}`,
        width: 300,
        cached: false,
        source: 'fallback',
      });
    }
    await expect(
      setting({ capture, fallbackFor }).shoot({ url: 'http://[::1]/' }),
    ).rejects.toMatchObject({
      status: 400,
      param: 'url',
    });
  });

  it('does not use the fallback if the address itself is wrong', async () => {
    const capture = async () => {
      throw upstreamFailed('The name does not resolve.').naming('url');
    };
    const fallbackFor = () => 'https://thumbs.example/';
    await expect(
      setting({ capture, fallbackFor }).shoot({ url: 'https://nowhere.example/' }),
    ).rejects.toMatchObject({ status: 502, param: 'url' });
  });

  it('warns about a cut image, even for a cached result', async () => {
    const cut = { drawn: { width: 1280, height: 5461 }, whole: { width: 1280, height: 12_000 } };
    const { shoot } = setting({ capture: async () => ({ content: IMAGE, cut }) });
    for (let time = 0; time < 2; time += 1) {
      const { value, warnings } = await shoot({
        url: 'https://example.com/cut',
        fullPage: true,
        scale: 3,
      });
      expect(value).not.toHaveProperty('cut');
      expect(warnings).toEqual([
        'fullPage: the page is 1280 x 12000 px and was cut to 1280 x 5461 by the size limit of an image at scale 3; a smaller scale allows more.',
      ]);
    }
  });

  it('warns about a cut PDF, even for a cached result', async () => {
    const { shoot } = setting({ capture: async () => ({ content: IMAGE, cutPages: 100 }) });
    for (let time = 0; time < 2; time += 1) {
      const { value, warnings } = await shoot({ url: 'https://example.com/long', output: 'pdf' });
      expect(value).not.toHaveProperty('cutPages');
      expect(warnings).toEqual([
        'output: the PDF contains only the first 100 pages. The page prints on more.',
      ]);
    }
  });

  it('returns 403 if it is disabled', async () => {
    await expect(
      setting({ isOn: false }).shoot({ url: 'https://example.com/' }),
    ).rejects.toMatchObject({
      status: 403,
      code: 'tool_unsupported',
    });
  });
});
