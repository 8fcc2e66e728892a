import { describe, expect, it } from 'vitest';
import { decodeHtml } from './charset.ts';

/**
 * Text in several encodings, as encoded by Python's codecs. Each entry contains the encoding, the text and its bytes in
 * Base64.
 */
const SAMPLES = [
  [
    'shift_jis',
    'これは日本語のページです。今日はとても良い天気ですね。東京の新しいニュースをお届けします。お問い合わせはこちらまで。',
    'grGC6oLNk/qWe4zqgsyDeYFbg1eCxYK3gUKNoZP6gs2CxoLEguCXx4Kik1aLQ4LFgreCy4FCk4yLnoLMkFaCtYKig2qDhYFbg1iC8IKok82Cr4K1gtyCt4FCgqiW4oKijYeC7YK5gs2CsYK/gueC3ILFgUI=',
  ],
  [
    'euc-jp',
    'これは日本語のページです。今日はとても良い天気ですね。東京の新しいニュースをお届けします。お問い合わせはこちらまで。',
    'pLOk7KTPxvzL3LjspM6l2qG8pbikx6S5oaO6o8b8pM+kyKTGpOLOyaSkxbe1pKTHpLmkzaGjxey1/qTOv7ekt6Skpcul5aG8pbmk8qSqxs+ksaS3pN6kuaGjpKrM5KSkueek76S7pM+ks6TBpOmk3qTHoaM=',
  ],
  [
    'gb18030',
    '这是一个中文网页。今天的天气非常好，我们为您带来北京的最新新闻。欢迎联系我们，了解更多的信息。',
    '1eLKx9K7uPbW0M7EzfjSs6GjvfHM7LXEzOzG+LfHs6O6w6OsztLDx86qxPq0+MC0sbG+qbXE1+7QwtDCzsWho7u2063Bqs+1ztLDx6Oswcu94rj8tuC1xNDFz6Khow==',
  ],
  [
    'windows-1251',
    'Это русская страница. Сегодня очень хорошая погода, и мы расскажем вам последние новости Москвы.',
    '3fLuIPDz8fHq4P8g8fLw4O3o9uAuINHl4+7k7f8g7vfl7fwg9e7w7vjg/yDv7uPu5OAsIOgg7Psg8ODx8erg5uXsIOLg7CDv7vHr5eTt6OUg7e7i7vHy6CDM7vHq4vsu',
  ],
  [
    'windows-1252',
    'Voilà une page française: «été», déjà, où, forêt, garçon, coûte, naïve, l’hôtel à côté du château.',
    'Vm9pbOAgdW5lIHBhZ2UgZnJhbudhaXNlOiCr6XTpuywgZOlq4Cwgb/ksIGZvcup0LCBnYXLnb24sIGNv+3RlLCBuYe92ZSwgbJJo9HRlbCDgIGP0dOkgZHUgY2jidGVhdS4=',
  ],
  [
    'euc-kr',
    '이것은 한국어 페이지입니다. 오늘은 날씨가 매우 좋습니다. 서울의 최신 뉴스를 전해 드립니다.',
    'wMywzcC6IMfRsbm+7iDG5MDMwfbA1LTPtNkuIL/AtMPAuiCzr76+sKEguMW/7CDBwb3AtM+02S4gvK2/78DHIMPWvcUgtLq9urimIMD8x9ggteW4s7TPtNku',
  ],
  [
    'big5',
    '這是一個中文網頁。今天的天氣非常好，我們為您帶來台北的最新新聞。歡迎聯絡我們，了解更多的資訊。',
    's2+sT6RArdOkpKTluvSttqFDpLWk0aq6pNGu8KtEsWCmbqFBp9qtzKywsXqxYajTpXilX6q6s8y3c7dzu0ShQ8V3qu/BcLW4p9qtzKFBpEa40afzpmiqurjqsFShQw==',
  ],
] as const;

const page = (head: string, bytes: Uint8Array) =>
  Uint8Array.from([
    ...new TextEncoder().encode(`<!doctype html><html><head>${head}<title>`),
    ...bytes,
  ]);

describe('the encoding of a page', () => {
  it('is taken from a byte-order mark before anything else', async () => {
    const declared = 'text/html; charset=shift_jis';
    expect(await decodeHtml(Uint8Array.of(0xff, 0xfe, 0x41, 0, 0xe9, 0), declared)).toBe('Aé');
    expect(await decodeHtml(Uint8Array.of(0xfe, 0xff, 0, 0x41, 0, 0xe9), declared)).toBe('Aé');
    expect(await decodeHtml(Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9), declared)).toBe('é');
  });

  it.each(SAMPLES)('is read as %s from the header', async (encoding, text, base64) => {
    const bytes = page('<meta charset=utf-8>', Uint8Array.fromBase64(base64));
    for (const type of [
      `text/html; charset=${encoding}`,
      `text/html;charset="${encoding.toUpperCase()}"`,
    ]) {
      expect(await decodeHtml(bytes, type)).toContain(text);
    }
  });

  it.each(SAMPLES)('is read as %s from a meta element', async (encoding, text, base64) => {
    for (const head of [
      `<meta charset="${encoding}">`,
      `<meta charset=${encoding}/>`,
      `<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=${encoding}'>`,
      `<!-- <meta charset=utf-8> --><meta name=x content=y><meta charset='${encoding}'>`,
    ]) {
      const bytes = page(head, Uint8Array.fromBase64(base64));
      expect(await decodeHtml(bytes, 'text/html; charset=nonsense')).toContain(text);
    }
  });

  it.each(SAMPLES)(
    'is detected as %s from the bytes if nothing declares it',
    async (_, text, base64) => {
      expect(await decodeHtml(page('', Uint8Array.fromBase64(base64)), 'text/html')).toContain(
        text,
      );
    },
  );

  it('is UTF-8 if the bytes are valid and nothing declares another', async () => {
    const bytes = new TextEncoder().encode('<title>naïve 日本</title>');
    expect(await decodeHtml(bytes, '')).toBe('<title>naïve 日本</title>');
    expect(await decodeHtml(new Uint8Array(), '')).toBe('');
  });

  it('is not UTF-16 even if a meta element says so, since that element was read as ASCII', async () => {
    const bytes = new TextEncoder().encode('<meta charset=utf-16><title>é</title>');
    expect(await decodeHtml(bytes, '')).toContain('<title>é</title>');
  });

  it('is not taken from a description or another element that mentions encodings', async () => {
    const utf8 = new TextEncoder().encode('<title>Grüße');
    for (const head of [
      '<meta name=description content="How to write charset=windows-1251"><meta charset=utf-8>',
      '<meta name=description content="charset=windows-1251">',
      '<meta data-charset=windows-1251><meta http-equiv=refresh content="9;url=?charset=koi8-r">',
      '<script>"<meta charset=windows-1251>"</script>',
      '<!-- <meta charset=windows-1251> -->',
      `<body>${' '.repeat(1024)}<p><meta charset=windows-1251>`,
      '<noscript>'.repeat(50_000),
    ]) {
      expect(await decodeHtml(page(head, utf8), 'text/html')).toContain('Grüße');
    }
  });

  it('can be declared late in the head, after scripts and styles', async () => {
    const bytes = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2);
    for (const length of [1000, 10_000, 100_000]) {
      const head = `<script>${'var a=1;'.repeat(length / 8)}</script><meta charset=windows-1251>`;
      expect(await decodeHtml(page(head, bytes), 'text/html')).toContain('<title>Привет');
    }
  });

  it('is detected from late bytes', async () => {
    const [, text, base64] = SAMPLES[3];
    const head = `<script>${'var a=1;'.repeat(10_000)}</script>`;
    const bytes = page(head, Uint8Array.fromBase64(base64));
    expect(await decodeHtml(bytes, 'text/html')).toContain(text);
  });

  it('can be declared by the XML declaration of an XHTML page', async () => {
    const bytes = Uint8Array.from([
      ...new TextEncoder().encode('<?xml version="1.0" encoding="iso-8859-1"?><title>'),
      0xe9,
    ]);
    expect(await decodeHtml(bytes, 'application/xhtml+xml')).toContain('<title>é');
  });
});
