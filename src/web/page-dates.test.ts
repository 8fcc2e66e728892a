import { describe, expect, it } from 'vitest';
import { readHead } from './html-head.ts';
import { dateInPath } from './page-dates.ts';
import { metadataOf } from './page-metadata.ts';

const ADDRESS = 'https://example.com/';

async function datesOf(body: string, inHead = '', language = '') {
  const html = `<html lang="${language}"><title>a</title>${inHead}<body>${body}`;
  const head = await readHead(html, new URL(ADDRESS));
  const { publishedAt, modifiedAt } = metadataOf(head, ADDRESS, ADDRESS).metadata;
  return { publishedAt, modifiedAt };
}
const dayOf = async (html: string) => (await datesOf(html)).publishedAt?.slice(0, 10);

describe('the dates in the text of a page', () => {
  it.each([
    ['<time>May 24, 2016</time>', '2016-05-24'],
    ["<span itemprop='datePublished'><i></i> 24 May 2016</span>", '2016-05-24'],
    ['<span itemprop=datePublished content=2016-05-24T10:00Z>x</span>', '2016-05-24'],
    ['<abbr class="published" title="2016-05-24">a week ago</abbr>', '2016-05-24'],
    ['<p class="entry-date">Posted on Sept. 3rd, 2015 by Ada</p>', '2015-09-03'],
    ['<p class="byline">By <a>Ada</a> | <b>3 September 2015</b></p>', '2015-09-03'],
    ['<div class="time">\n<h2> March 09, 2019 </h2></div>', '2019-03-09'],
    ['<p id="articleDate"><b>9 March 2019</b></p>', '2019-03-09'],
    ['<p class="info">09.03.2019 08:15 </p>', '2019-03-09'],
    ['<p class="details">\n  08:15, March 9 2019 </p>', '2019-03-09'],
    ['<span class="submitted">Submitted by ada on March 9, 2019</span>', '2019-03-09'],
    ['<p class="date">9&nbsp;March&#160;2019</p>', '2019-03-09'],
    ['<time title="Posted by Ada" datetime="2019-03-09">2 days ago</time>', '2019-03-09'],
    ['<span itemprop=datePublished content="Stand  9.3.2019"></span>', '2019-03-09'],
  ])('are found in %s', async (html, day) => {
    expect(await dayOf(html)).toBe(day);
  });

  it.each([
    '<p>It happened on May 24, 2016.</p>',
    '<p class="date">soon</p>',
    '<p>See class="date" 9 March 2019</p>',
    '<time itemprop="startDate" datetime="2030-01-02">2 January</time>',
    '<p class="event-date">9 March 2019</p>',
    '<p class="date">99.99.2019</p>',
    '<p class="post-details" title="Copyright 2016">a</p>',
    '<a class="contact-info" title="2125551234">a</a>',
  ])('are not found in %s', async (html) => {
    expect(await datesOf(html)).toEqual({});
  });

  it.each([
    '2019年3月9日',
    '2019/3/9',
    '2019.03.09',
    '9.3.2019',
    '09. 03. 2019',
    '2019-03-09T10:00',
  ])('may consist of numbers: %s', async (text) => {
    expect(await dayOf(`<p class="date">${text}</p>`)).toBe('2019-03-09');
    if (!/[/年]/.test(text))
      expect(await dayOf(`<meta itemprop="datePublished" content="${text}">`)).toBe('2019-03-09');
  });

  it.each([
    'Samstag, 9. März 2019',
    'samedi 9 mars 2019',
    '1er décembre 2018',
    '9 de marzo de 2019',
    '9 de março de 2019',
    '9 maart 2019',
    '9 марта 2019 г.',
    '9. března 2019',
    '9. maaliskuuta 2019',
    '9 Mart 2019',
    '2019. március 9.',
    '2019년 3월 9일',
    'Mai<b>06</b>2018',
    '12 things, 9. Dez. 2018',
  ])('may contain the name of a month in other languages: %s', async (text) => {
    const day = /2018/.test(text) ? /^\d{4}-(?:12-0[19]|05-06)$/ : /^2019-03-09$/;
    expect(await dayOf(`<p class="date">${text}</p>`)).toMatch(day);
    const meta = `<meta name="date" content="${text.replace(/<.?b>/g, ' ')}">`;
    expect((await datesOf('', meta)).publishedAt).toMatch(new RegExp(day.source.slice(0, -1)));
  });

  it.each(['9 items 2019', '31. Februar 2019', '9 março', '19.3.201'])(
    'are not read from %s',
    async (text) => {
      expect(await datesOf(`<p class="date">${text}</p>`)).toEqual({});
    },
  );

  it.each([
    ['25/09/2017', '', '2017-09-25'],
    ['09/25/2017', '', '2017-09-25'],
    ['01/09/2017', 'fr', '2017-09-01'],
    ['01/09/2017', 'en-GB', '2017-09-01'],
    ['09/01/2017', 'en-US', '2017-09-01'],
    ['01/09/2017', 'en', undefined],
    ['12/11/10/2017', 'fr', undefined],
    ['01.09.17', '', '2017-09-01'],
    ['01.09.85', '', '1985-09-01'],
    ['1.9.17', '', undefined],
    ['01.09.17.3', '', undefined],
  ])('consist of numbers in the order of the language: %s in %s', async (text, language, day) => {
    const shown = await datesOf(`<p class="date">${text}</p>`, '', language);
    expect(shown.publishedAt?.slice(0, 10)).toBe(day);
    if (!day || /\.\d\d$/.test(text)) return;
    const meta = `<meta name="date" content="${text}">`;
    expect((await datesOf('', meta, language)).publishedAt?.slice(0, 10)).toBe(day);
  });

  it.each([
    ['<p>Published on Friday, September 1, 2017</p>', 'publishedAt'],
    ['<p>Published: <b>1 September 2017</b></p>', 'publishedAt'],
    ['<p>Posted September 1, 2017 by Ada</p>', 'publishedAt'],
    ['<p> Veröffentlicht am 1.9.2017</p>', 'publishedAt'],
    ['<b>Date</b>: 1 September 2017', 'publishedAt'],
    ['<p>Publié le 1 septembre 2017</p>', 'publishedAt'],
    ['<p>Last updated: 1 September 2017</p>', 'modifiedAt'],
    ['<p>Page last reviewed: 1 September 2017</p>', 'modifiedAt'],
    ['<p>This page was last edited on 1 September 2017, at 10:00.</p>', 'modifiedAt'],
    ['<p>Ask us.<br><br>Stand: 01.09.2017</p>', 'modifiedAt'],
  ])('may follow a label in %s', async (html, name) => {
    const day = '2017-09-01T00:00:00.000Z';
    expect(await datesOf(html)).toEqual({ [name]: day });
  });

  it.each([
    '<p>The book was published on 1 May 1950.</p>',
    '<p>Published his book on 1 May 2018</p>',
    '<p>Date of birth: 1 May 1960</p>',
    '<tr><th>Date<th>Event</tr><tr><td>1 May 2020<td>Concert</tr>',
    '<dt>Date</dt><dd>1 May 2020 at 8 pm</dd>',
    '<p>Standard 1.2.2020</p>',
    '<p>Update your app before 1 May 2020</p>',
    `<p>Published: ${'<i></i>'.repeat(30)}1 May 2020</p>`,
    `${'<p>Date</p>'.repeat(200)}<p>Date: 1 May 2020</p>`,
  ])('do not follow a label in %s', async (html) => {
    expect(await datesOf(html)).toEqual({});
  });

  it('are not in the future', async () => {
    const html = '<p>Date: 1 May 2099</p><time datetime="2099-05-01"></time>';
    expect(await datesOf(html)).toEqual({});
    expect(await datesOf(`${html}<p class="date">9 March 2019</p>`)).toEqual({
      publishedAt: '2019-03-09T00:00:00.000Z',
    });
  });

  it('are dates of the modification after a word such as Updated', async () => {
    const updated = '<p class="note">Last updated: <span class="date">9 March 2019</span></p>';
    const modifiedAt = '2019-03-09T00:00:00.000Z';
    expect(await datesOf(updated)).toEqual({ modifiedAt });
    expect(await datesOf('<p class="date">Zuletzt aktualisiert am 9. März 2019</p>')).toEqual({
      modifiedAt,
    });
    expect(await datesOf('<p class="date">Modified on 9 March 2019</p>')).toEqual({ modifiedAt });
    const tagged = '<time class="entry-updated updated" datetime="2019-03-09"></time>';
    expect(await datesOf(`${tagged}<time>1 March 2019</time>`)).toEqual({
      publishedAt: '2019-03-01T00:00:00.000Z',
      modifiedAt,
    });
    expect(await datesOf(tagged)).toEqual({ publishedAt: modifiedAt, modifiedAt });
    expect(await datesOf('<time class="published updated">9 March 2019</time>')).toEqual({
      publishedAt: modifiedAt,
    });
    expect(await datesOf(`${updated}<p class="date">1 March 2019</p>`)).toEqual({
      publishedAt: '2019-03-01T00:00:00.000Z',
      modifiedAt,
    });
  });
});

describe('the dates that a page declares', () => {
  it.each([
    ['Spring 2019', undefined],
    ['May 2019', '2019-05-01'],
    ['2019', '2019-01-01'],
    ['5/24/2019', '2019-05-24'],
  ])('are %s: %s', async (content, day) => {
    const { publishedAt } = await datesOf('', `<meta name="date" content="${content}">`);
    expect(publishedAt?.slice(0, 10)).toBe(day);
  });

  it.each(['published_at', 'publish_date', 'pub_date', 'dc:created', 'dc.issued'])(
    'may have the key %s',
    async (key) => {
      const meta = `<meta name="${key}" content="2019-03-09T10:00:00+02:00">`;
      expect(await datesOf('', meta)).toEqual({ publishedAt: '2019-03-09T08:00:00.000Z' });
    },
  );

  it('may be in the URL that the page declares', async () => {
    const canonical = '<link rel="canonical" href="/2019/03/09/title">';
    const graph = '<meta property="og:url" content="https://example.com/2019/03/09/title">';
    for (const inHead of [canonical, graph])
      expect((await datesOf('', inHead)).publishedAt).toBe('2019-03-09T00:00:00.000Z');
  });

  it('may be an HTTP header', async () => {
    const meta = '<meta http-equiv="Last-Modified" content="Sat, 09 Mar 2019 10:00:00 GMT">';
    expect(await datesOf('', meta)).toEqual({ modifiedAt: '2019-03-09T10:00:00.000Z' });
  });

  it('are not local times if another date has a time zone', async () => {
    const local = '<meta name="sailthru.date" content="2019-03-09 10:00:00">';
    const data = { '@type': 'NewsArticle', dateCreated: '2019-03-09T17:00:00Z' };
    const linked = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
    expect(await datesOf('', local)).toEqual({ publishedAt: '2019-03-09T10:00:00.000Z' });
    expect(await datesOf('', local + linked)).toEqual({ publishedAt: '2019-03-09T17:00:00.000Z' });
  });
});

describe('the date in the path of a URL', () => {
  it.each([
    ['/world/2016/05/24/a-title.html', '2016-05-24'],
    ['/2016-05-24-a-title', '2016-05-24'],
    ['/2016/5/4/a-title', '2016-05-04'],
    ['/world/2016/may/04/a-title', '2016-05-04'],
    ['/world/20160504/a-title', '2016-05-04'],
    ['/world/a-title-20160504.html', '2016-05-04'],
    ['/world/a-title-2016-05-04', '2016-05-04'],
    ['/world/120160504', undefined],
    ['/world/20161304/', undefined],
    ['/world/201605040', undefined],
    ['/v1/2016/05', undefined],
    ['/12016/05/24', undefined],
    ['/2016/05/241', undefined],
    ['/2016/5/24', undefined],
    ['/2016/abc/24/', undefined],
    ['/login?next=/2016/05/24/', undefined],
  ])('of %s is %s', (path, day) => {
    expect(dateInPath(`https://news.test${path}`)).toBe(day);
  });
});
