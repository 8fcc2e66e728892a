import { describe, expect, it } from 'vitest';
import { missingList } from './easylist.ts';
import { hidingStyle, isAdvertisement } from './filter-lists.ts';

const PAGE = 'https://news.example/story';

describe('the filter lists', () => {
  it('are installed', () => {
    expect(missingList()).toEqual([]);
  });

  it('match requests for advertisements and no others', async () => {
    for (const [url, type, is] of [
      ['https://securepubads.g.doubleclick.net/tag/js/gpt.js', 'Script', true],
      ['https://news.example/banner-ad.gif', 'Image', true],
      ['https://ad.doubleclick.net/frame', 'Document', true],
      ['https://news.example/app.js', 'Script', false],
      ['https://cdn.example.org/photo.jpg', 'Image', false],
      ['https://cdn.example.org/data', 'SomethingNew', false],
      ['no address', 'Image', false],
    ] as const) {
      expect([url, await isAdvertisement(url, type, PAGE)]).toEqual([url, is]);
    }
  });

  it('hide advertisements of known pages, and cookie banners of every page', async () => {
    const css = await hidingStyle(PAGE, ['content'], ['ad-banner-728x90', 'headline']);
    for (const selector of ['.ad-banner-728x90', '#onetrust-consent-sdk', '.cc_banner-wrapper']) {
      expect(css).toContain(selector);
    }
    expect(css).not.toMatch(/\.headline\b|#content\b/);
    expect(await hidingStyle(PAGE, [], [])).not.toContain('.ad-banner-728x90');
  });
});
