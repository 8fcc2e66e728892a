import { describe, expect, it } from 'vitest';
import { readHead } from './html-head.ts';
import { metadataOf } from './page-metadata.ts';

const URL_OF_PAGE = 'https://example.com/dir/page?q#f';
const find = async (html: string) =>
  metadataOf(await readHead(html, new URL(URL_OF_PAGE)), URL_OF_PAGE, URL_OF_PAGE);
const read = async (html: string) => (await find(html)).metadata;

describe('the metadata of a page', () => {
  it('contains title, description, site name, canonical, language, color, author, feeds and tags', async () => {
    expect(
      await read(`<!DOCTYPE html><html lang="en-GB"><head>
        <title>A  title
          here</title>
        <meta name="description" content=" What it is ">
        <meta property="og:site_name" content="The Site">
        <link rel="canonical" href="/page">
        <meta name="theme-color" content="#123456">
        <meta name="author" content="Ada">
        <meta name="generator" content="Hand 1.0">
        <link rel="alternate" type="application/rss+xml" href="feed.rss">
        <link rel="alternate" type="application/atom+xml; charset=utf-8" href="https://feeds.example/atom">
        <meta property="og:title" content="OG title"><meta property="og:image" content="/a.png">
        <meta property="og:image:width" content="1200"><meta property="article:author" content="Bob">
        <meta name="twitter:card" content="summary"><meta name="twitter:image" content="b.png">
        </head><body>text</body></html>`),
    ).toEqual({
      url: URL_OF_PAGE,
      finalUrl: URL_OF_PAGE,
      title: 'A title here',
      description: 'What it is',
      siteName: 'The Site',
      canonical: 'https://example.com/page',
      lang: 'en-GB',
      themeColor: '#123456',
      author: 'Ada',
      generator: 'Hand 1.0',
      image: 'https://example.com/a.png',
      publisher: 'The Site',
      feeds: ['https://example.com/dir/feed.rss', 'https://feeds.example/atom'],
      openGraph: {
        site_name: 'The Site',
        title: 'OG title',
        image: 'https://example.com/a.png',
        'image:width': '1200',
        'article:author': 'Bob',
      },
      twitter: { card: 'summary', image: 'https://example.com/dir/b.png' },
    });
  });

  it('reads article facts from malformed JSON-LD', async () => {
    const facts = async (json: string) => {
      const page = await read(
        `<script type='application/ld+json'>${json}</script><title>a</title>`,
      );
      return [page.author, page.publisher, page.publishedAt?.slice(0, 10), page.image];
    };
    const article = `{"@type": "NewsArticle", "datePublished": "2024-02-03", "author": {"@id": "#ada"},
      "publisher": {"@id": "#paper"}, "image": ["/a.png"]}`;
    const graph = `{"@graph": [{"@type": "Organization", "@id": "#paper", "name": "The Paper", "image": "/logo.png"},
      {"@type": "WebPage", "datePublished": "2020-01-01", "image": "/page.png"}, {"@type": "Person", "@id": "#ada", "name": "Ada"}, ${article}]}`;
    const wanted = ['Ada', 'The Paper', '2024-02-03', 'https://example.com/a.png'];
    expect(await facts(graph)).toEqual(wanted);
    expect(await facts(`//<![CDATA[\n${graph}\n//]]>`)).toEqual(wanted);
    expect(await facts(`<!-- ${graph.replace('["/a.png"]', '["/a.png",\n]')} -->`)).toEqual(wanted);
    expect(
      await facts(graph.replace('"#ada", ', '"#ada", "description": "two\n\tlines", ')),
    ).toEqual(wanted);
    expect(await facts(`[{"@type": "WebPage", "mainEntity": ${article}}]`)).toEqual([
      ...[undefined, undefined, '2024-02-03', 'https://example.com/a.png'],
    ]);
    expect(await facts('{"@type": "Article", "datePublished": ')).toEqual(Array(4).fill(undefined));
  });

  it('skips an image address that is not http or https', async () => {
    const { image, openGraph } = await read(
      '<meta property="og:image" content="data:image/png;base64,AAAA"><link rel="image_src" href="/b.png">',
    );
    expect(image).toBe('https://example.com/b.png');
    expect(openGraph.image).toBe('data:image/png;base64,AAAA');
  });

  it('takes dates from JSON-LD, then meta elements, then time elements, in UTC', async () => {
    const linked = (facts: object) =>
      `<script type="application/ld+json">${JSON.stringify(facts)}</script>`;
    const meta = '<meta property="article:published_time" content="2024-02-03T10:00:00+02:00">';
    const time = '<body><p><time datetime="2023-01-01">1 January</time> by Ada</p></body>';
    const dates = async (html: string) => {
      const { publishedAt, modifiedAt } = await read(html);
      return [publishedAt, modifiedAt];
    };
    const article = {
      '@graph': [
        { '@type': 'Comment', datePublished: '2001-01-01' },
        { '@type': 'NewsArticle', datePublished: '2025-05-06', dateModified: '2025-05-07T08:09Z' },
      ],
    };
    expect(await dates(`${linked(article)}${meta}${time}`)).toEqual([
      '2025-05-06T00:00:00.000Z',
      '2025-05-07T08:09:00.000Z',
    ]);
    expect(await dates(`${linked({ datePublished: 'soon' })}${meta}${time}`)).toEqual([
      '2024-02-03T08:00:00.000Z',
      undefined,
    ]);
    expect(await dates(`<title>a</title>${time}`)).toEqual(['2023-01-01T00:00:00.000Z', undefined]);
    for (const [text, date] of [
      ['20240203', '2024-02-03T00:00:00.000Z'],
      ['1706918400', '2024-02-03T00:00:00.000Z'],
      ['2024-02-03 10:11', '2024-02-03T10:11:00.000Z'],
      ['Sat, 03 Feb 2024 10:00:00 GMT', '2024-02-03T10:00:00.000Z'],
      ['3 May', undefined],
      ['0001-01-01', undefined],
      ['', undefined],
    ]) {
      expect([text, (await dates(`<meta name="date" content="${text}">`))[0]]).toEqual([
        text,
        date,
      ]);
    }
    const marked = '<span itemprop="datePublished" content="2022-03-04">x</span>';
    expect(await dates(`<title>a</title><body>${time}${marked}`)).toEqual([
      '2022-03-04T00:00:00.000Z',
      undefined,
    ]);
  });

  it('takes the first image with a valid address', async () => {
    const invalid = '<meta property="og:image" content="http://[bad">';
    expect(await read(invalid)).not.toHaveProperty('image');
    const { image, openGraph } = await read(
      `${invalid}<meta name="twitter:image" content="/b.png">`,
    );
    expect(image).toBe('https://example.com/b.png');
    expect(openGraph).toEqual({ image: 'http://[bad' });
  });

  it('takes image and publisher from JSON-LD if no tags name them', async () => {
    const facts = {
      '@type': 'Article',
      publisher: { '@type': 'Organization', name: 'The Daily' },
      image: [{ url: '/lead.jpg' }],
    };
    expect(
      await read(`<script type="application/ld+json">${JSON.stringify(facts)}</script>`),
    ).toMatchObject({ image: 'https://example.com/lead.jpg', publisher: 'The Daily' });
    expect((await read('<link rel="image_src" href="/i.png">')).image).toBe(
      'https://example.com/i.png',
    );
  });

  it('takes the publisher from the website in JSON-LD if nothing else names one', async () => {
    const site = `<script type="application/ld+json">{"@graph": [{"@type": "WebPage", "name": "A page"},
      {"@type": "WebSite", "name": "The &amp; Daily"}]}</script>`;
    expect((await read(site)).publisher).toBe('The & Daily');
    const named = '<meta property="og:site_name" content="The Site">';
    expect((await read(`${site}${named}`)).publisher).toBe('The Site');
  });

  it('omits what is not declared', async () => {
    for (const html of [
      '',
      'plain text',
      '<html><head></head></html>',
      '<title> </title><meta name=description content="">',
    ]) {
      expect(await read(html)).toEqual({
        url: URL_OF_PAGE,
        finalUrl: URL_OF_PAGE,
        feeds: [],
        openGraph: {},
        twitter: {},
      });
    }
  });

  it('takes title and description from Open Graph if the document has none', async () => {
    expect(
      await read('<meta property=og:title content="T"><meta property=og:description content="D">'),
    ).toMatchObject({ title: 'T', description: 'D' });
  });

  it('decodes entities like HTML', async () => {
    const html =
      '<title>&lt;b&gt; &amp;amp; &eacute; &#x1F600; &#8364; &#128; &notin; &notit; R&D</title>' +
      '<meta name=description content="a&amp;b &copy 2024 &quot;q&quot; ?a=1&copy=2">';
    expect(await read(html)).toMatchObject({
      title: '<b> &amp; é 😀 € € ∉ ¬it; R&D',
      description: 'a&b © 2024 "q" ?a=1&copy=2',
    });
  });

  it('resolves relative addresses against the first base element with an address', async () => {
    const html = `<base target=_blank><base href="//cdn.example/x/"><base href="https://other.example/">
      <link rel=canonical href=page><link rel=alternate type=application/feed+json href="?feed">`;
    expect(await read(html)).toMatchObject({
      canonical: 'https://cdn.example/x/page',
      feeds: ['https://cdn.example/x/?feed'],
    });
    expect(
      await read('<base href="javascript:alert(1)"><link rel=canonical href=/c>'),
    ).toMatchObject({
      canonical: 'https://example.com/c',
    });
  });

  it('omits addresses that are not http or https', async () => {
    const html = `<link rel=canonical href="javascript:alert(1)"><link rel=canonical href="http://[">
      <link rel=alternate type=application/rss+xml href="feed:x"><link rel=canonical href="/real">`;
    expect(await read(html)).toMatchObject({ canonical: 'https://example.com/real', feeds: [] });
  });

  it('uses the first of several values', async () => {
    const html = `<title>one</title><title>two</title>
      <meta name=description content=""><meta name=description content=one><meta name=description content=two>
      <meta property=og:image content=/1.png><meta property=og:image content=/2.png>
      <link rel=canonical href=/1><link rel=canonical href=/2>`;
    expect(await read(html)).toMatchObject({
      title: 'one',
      description: 'one',
      canonical: 'https://example.com/1',
      openGraph: { image: 'https://example.com/1.png' },
    });
  });

  it('reads a tag by its name and by its property', async () => {
    const html = `<meta name="og:title" content="by name"><meta property="twitter:card" content="by property">
      <meta name="twitter:image" property="og:image" content="https://example.com/both.png">
      <META NAME="Description" CONTENT="upper case">`;
    expect(await read(html)).toMatchObject({
      description: 'upper case',
      openGraph: { title: 'by name', image: 'https://example.com/both.png' },
      twitter: { card: 'by property', image: 'https://example.com/both.png' },
    });
  });

  it('is parsed as XML if the page was served as XHTML', async () => {
    const xhtml = (head: string) =>
      readHead(
        `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head>${head}</head><body/></html>`,
        new URL(URL_OF_PAGE),
        true,
      );
    const head = await xhtml(
      '<script src="x.js"/><title>A</title><meta name="author" content="B &amp; C"/>',
    );
    expect(metadataOf(head, URL_OF_PAGE, URL_OF_PAGE).metadata).toMatchObject({
      title: 'A',
      author: 'B & C',
      lang: 'de',
    });
    expect((await xhtml('<title><![CDATA[A & B]]></title>')).title).toBe('A & B');
  });

  it('ignores microdata about a thing on the page', async () => {
    const html = `<meta itemprop=description content=item><meta itemprop=author content=item>
      <meta name=description content=named>`;
    expect((await read(html)).description).toBe('named');
    expect((await read(html)).author).toBeUndefined();
  });

  it('parses malformed HTML like browsers', async () => {
    expect(await read('<title>unclosed <b>tag')).toMatchObject({ title: 'unclosed <b>tag' });
    expect(
      await read('<head><meta name=description content=unquoted><title>x</title>'),
    ).toMatchObject({
      title: 'x',
      description: 'unquoted',
    });
    expect((await read('<!-- <title>no</title> --><title>yes</title>')).title).toBe('yes');
    expect((await read('<script>"<title>no</title>"</script><title>yes</title>')).title).toBe(
      'yes',
    );
    expect((await read('<style><title>no</title></style><title>yes</title>')).title).toBe('yes');
    expect((await read('<head><svg><title>no</title></svg><title>yes</title>')).title).toBe('yes');
    expect((await read('<head><div><title>yes</title></div></head>')).title).toBe('yes');
    expect((await read('<template><title>no</title></template><title>yes</title>')).title).toBe(
      'yes',
    );
    expect((await read('<html lang=fr><html lang=de>')).lang).toBe('fr');
    expect((await read('<link href="/c" REL="Nofollow CANONICAL">')).canonical).toBe(
      'https://example.com/c',
    );
    expect((await read('<meta name=description content=1 content=2>')).description).toBe('1');
  });

  it('stops at the end of the head', async () => {
    expect(
      (await read('<head><title>a</title></head><body><meta name=author content=no>')).author,
    ).toBeUndefined();
    expect(
      await read('<head></head><title>late</title><p><meta name=author content=no>'),
    ).toMatchObject({
      title: 'late',
    });
  });

  it('continues into the body for a title if the head has none, with its neighboring tags', async () => {
    const late = '<title>in the body</title><meta name=author content=Ada>';
    for (const before of ['', '<head></head>', '<head><meta charset=utf-8></head>']) {
      const page = `${before}<body><svg><title>a drawing</title></svg><p>text</p>${late}<p><title>2</title>`;
      expect(await read(page)).toMatchObject({ title: 'in the body', author: 'Ada' });
    }
    expect(
      (await read(`<body>${late}<p><meta name=generator content=no>`)).generator,
    ).toBeUndefined();
    expect(
      (await read(`<body>${'<div>'.repeat(1000)}<title>too deep</title>`)).title,
    ).toBeUndefined();
  });

  it('takes the light scheme’s color, http-equiv language and article:author', async () => {
    const html = `<meta name=theme-color media="(prefers-color-scheme: dark)" content="#000">
      <meta name=theme-color media="(prefers-color-scheme: light)" content="#fff">
      <meta http-equiv=Content-Language content=pt-BR><meta property=article:author content="Eve">`;
    expect(await read(html)).toMatchObject({ themeColor: '#fff', lang: 'pt-BR', author: 'Eve' });
    expect(
      (await read('<meta property=article:author content="https://fb.example/eve">')).author,
    ).toBeUndefined();
  });

  it('takes title and description from Twitter tags if there are no others', async () => {
    const html = '<meta name=twitter:title content=T><meta name=twitter:description content=D>';
    expect(await read(html)).toMatchObject({ title: 'T', description: 'D' });
  });

  it('takes the author from JSON-LD in head or body if no meta element names one', async () => {
    const script = (data: unknown) =>
      `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
    const person = { '@type': 'Person', name: ' Ada ' };
    for (const data of [
      { author: 'Ada' },
      { author: person },
      { author: [person, { name: 'Bob' }] },
      [{ name: 'x' }, { author: person }],
      { '@graph': [{ name: 'x' }, { author: person }] },
    ]) {
      expect((await read(`<head>${script(data)}</head>`)).author).toBe('Ada');
      expect((await read(`<body><p>${script('{')}${script(data)}`)).author).toBe('Ada');
      expect((await read(`<meta name=author content=Eve>${script(data)}`)).author).toBe('Eve');
    }
    for (const data of [
      { itemReviewed: { author: person } },
      { author: 'https://example.com/ada' },
      { author: { name: 7 } },
      { author: [] },
      { author: null },
      null,
    ]) {
      expect((await read(`<head>${script(data)}</head>`)).author).toBeUndefined();
    }
    expect((await read('application/ld+json {"author":"Ada"}')).author).toBeUndefined();
  });

  it('treats keys with a special meaning in JavaScript as plain names', async () => {
    const result = await read(
      '<meta property="og:__proto__" content="x"><meta name="twitter:constructor" content="y">',
    );
    expect(Object.entries(result.openGraph)).toEqual([['__proto__', 'x']]);
    expect(result.twitter).toEqual({ constructor: 'y' });
  });
});
