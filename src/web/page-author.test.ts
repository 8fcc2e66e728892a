import { describe, expect, it } from 'vitest';
import { readHead } from './html-head.ts';
import { metadataOf } from './page-metadata.ts';

const ADDRESS = 'https://example.com/';

async function authorOf(html: string) {
  const head = await readHead(html, new URL(ADDRESS));
  return metadataOf(head, ADDRESS, ADDRESS).metadata.author;
}
const linked = (data: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const inArticle = (body: string) =>
  authorOf(`<meta property="og:type" content="article"><title>a</title><body>${body}`);

describe('the author that a page declares', () => {
  it('is a name without By', async () => {
    expect(await authorOf('<meta name=author content="By Ada Hill">')).toBe('Ada Hill');
    expect(await authorOf('<meta name=author content="BY: Ada Hill">')).toBe('Ada Hill');
    expect(await authorOf('<meta name=author content="Byron Hill">')).toBe('Byron Hill');
    expect(await authorOf('<meta name=author content="By">')).toBeUndefined();
  });

  it('is a name without an address after it', async () => {
    for (const address of ['(https://ada.test/)', '(ada@ada.test)', '&lt;ada@ada.test>'])
      expect(await authorOf(`<meta name=author content="Ada Hill ${address}">`)).toBe('Ada Hill');
    expect(await authorOf('<meta name=author content="Ada Hill (editor)">')).toBe(
      'Ada Hill (editor)',
    );
  });

  it('is not the address of a profile', async () => {
    const name = '<meta property="article:author" content="Ada Hill">';
    for (const address of [
      'https://social.test/ada',
      'www.social.test/ada',
      'social.test/ada',
      '/ada',
    ]) {
      const meta = `<meta name="author" content="${address}">`;
      expect(await authorOf(meta)).toBeUndefined();
      expect(
        await authorOf(`${meta}<meta property="article:author" content="${address}">${name}`),
      ).toBe('Ada Hill');
    }
    expect(await authorOf('<meta name=author content="Agency A/Agency B">')).toBe(
      'Agency A/Agency B',
    );
  });

  it('in JSON-LD may contain tags', async () => {
    const author = { name: 'By <a href="/ada">Ada Hill</a>, Bo Lee' };
    expect(await authorOf(linked({ '@type': 'Article', author }))).toBe('Ada Hill, Bo Lee');
  });

  it.each(['parsely-author', 'dc.creator', 'DC.Author', 'citation_author', 'byl', 'og:author'])(
    'may have the key %s',
    async (key) => {
      const meta = `<meta name="${key}" content="Ada Hill">`;
      expect(await authorOf(meta)).toBe('Ada Hill');
      expect(await authorOf(`${meta}<meta name=author content="Bo Lee">`)).toBe('Bo Lee');
    },
  );

  it('may be a labelled value of a Twitter card', async () => {
    const card = (label: string) =>
      `<meta name="twitter:label1" content="${label}"><meta name="twitter:data1" content="Ada Hill">`;
    expect(await authorOf(card('Written by'))).toBe('Ada Hill');
    expect(await authorOf(card('Verfasst von'))).toBe('Ada Hill');
    expect(await authorOf(card('Reading time'))).toBeUndefined();
  });

  it('may be a creator, a list of names, or in a wrapper in JSON-LD', async () => {
    expect(await authorOf(linked({ '@type': 'Article', creator: ['Ada Hill', 'Bo Lee'] }))).toBe(
      'Ada Hill',
    );
    const two = { '@type': 'Person', name: ['Ada Hill', 'Bo Lee'] };
    expect(await authorOf(linked({ '@type': 'Article', author: two }))).toBe('Ada Hill');
    expect(await authorOf(linked({ page: { '@type': 'Article', author: 'Ada &amp; Bo' } }))).toBe(
      'Ada & Bo',
    );
    expect(
      await authorOf(linked({ page: { '@type': 'Product', author: 'Ada Hill' } })),
    ).toBeUndefined();
  });
});

describe('the author in JSON-LD', () => {
  const review = { '@type': 'Review', author: { name: 'A Customer' } };

  it('is not the author of a review on the page, unless the page is the review', async () => {
    expect(await authorOf(linked([{ '@type': 'Product' }, review]))).toBeUndefined();
    expect(await authorOf(linked(review))).toBe('A Customer');
  });

  it('may be a reference, and is not a long text', async () => {
    const ada = { '@id': 'ada', name: 'Ada Hill' };
    const long = { '@id': 'long', name: 'a'.repeat(501) };
    const post = (id: string) => ({ '@type': 'BlogPosting', author: { '@id': id } });
    expect(await authorOf(linked([post('long'), post('ada'), ada, long]))).toBe('Ada Hill');
  });
});

describe('the author in the text of an article', () => {
  it.each(['Von Miller', 'Ada van der Hill', "Bo O'Lee-Hill", 'Ada Hill and Bo Lee'])(
    'may be %s',
    async (name) => {
      expect(await inArticle(`<p class="author">${name}</p>`)).toBe(name);
    },
  );

  it('is found after a link to the comments', async () => {
    const link = '<a class="comments-link" href="#c">3</a>';
    expect(await inArticle(`${link}<p class="byline">Ada Hill</p>`)).toBe('Ada Hill');
  });

  it.each([
    '<span class="author">By <a href="/ada" rel="author">Ada Hill</a></span>',
    '<a rel="author" href="/ada"><img src="ada.png"></a> for <b>News</b> <a rel="author">Ada Hill</a>',
    '<a href="/ada" itemprop="author"><span>By Ada&nbsp;Hill,</span></a>',
    '<span itemprop=author itemscope><meta itemprop="name" content="Ada Hill"></span>',
    '<span itemprop=author itemscope><meta itemprop=url content="https://ada.test"><b>Ada Hill</b></span>',
    '<p class="byline ">\n<span>Ada Hill</span></p>',
    '<p class="byline">Posted by <b>Ada Hill</b> on 9 March 2019</p>',
    '<p class="byline">Sunday March 9, 2019 1:54 pm PDT by <a href="/ada">Ada Hill</a></p>',
    '<p class="byline">9 March 2019 by Ada Hill</p>',
    '<p class="byline">Von Ada Hill</p>',
    '<p class="byline">9. März 2019 von <a>Ada Hill</a></p>',
    '<p class="byline">Por: <a>Ada Hill</a> — Madrid</p>',
    '<h4 class="author">Ada Hill</h4>',
    '<span class="vcard author"><span class="fn">Ada Hill</span></span>',
    '<div class="post-author"><b>By:</b> <span><a href="/ada">Ada Hill</a></span></div>',
    '<div data-component="Byline">Ada Hill</div>',
    '<span id="author-name">Ada Hill</span>',
    '<span class="postAuthor">Ada Hill</span>',
    '<p>Von <a href="/autor/ada">Ada Hill</a></p>',
    '<a href="/authors/">All Authors</a> <p>By <a href="/author/ada">Ada Hill</a></p>',
    '<figure><p class="author">Bo Lee</p></figure><p class="author">Ada Hill</p>',
    '<p class="byline">Last Monday</p><p class="byline">9 March 2019 by Bo</p><p class="byline">Ada Hill</p>',
  ])('is found in %s', async (html) => {
    expect(await inArticle(html)).toBe('Ada Hill');
    expect(await authorOf(`<title>a</title><body>${html}`)).toBeUndefined();
    expect(await authorOf(`${linked({ '@type': 'Article', datePublished: '2019' })}${html}`)).toBe(
      'Ada Hill',
    );
  });

  it('is found if the page is marked as one article, but not if it lists articles', async () => {
    const author = '<a rel="author" href="/ada">Ada Hill</a>';
    for (const article of [
      `<article>${author}</article>`,
      `<p class="post hentry">${author}</p>`,
    ]) {
      const style = '<style>.hentry { margin: 0 }</style>';
      expect(await authorOf(`<title>a</title>${style}<body>${article}`)).toBe('Ada Hill');
      expect(await authorOf(`<title>a</title><body>${article.repeat(2)}`)).toBeUndefined();
    }
  });

  it.each([
    '<link rel="author" href="/ada">Ada Hill',
    `<a rel="author">${'Ada '.repeat(20)}</a>`,
    '<p class="byline">today</p>',
    '<p class="byline">read more stories</p>',
    '<a rel="author">About us</a>',
    '<div class="author-box"><h4>About The Author</h4></div>',
    '<div class="author-bio">Ada is a writer</div>',
    '<a class="author-link">View Profile</a>',
    '<a href="/authorize">Sign In</a>',
    '<a href="/local-authorities">Port Authority</a>',
    '<a href="/typewriters">Vintage Typewriters</a>',
    '<a href="/author-guidelines">Author Guidelines</a>',
    '<a class="author-nav">Author Services</a>',
    '<div class="authors"><h2>Featured Authors</h2></div>',
    '<div class="unauthorized">Access Denied</div>',
    '<p class="quote-author">Ada Hill</p>',
    '<p class="testimonial-author">Ada Hill</p>',
    '<span itemprop=author><meta itemprop=email content="ada@a.test"></span>',
    `<p class="byline">${'<i></i>'.repeat(40)}<img class="avatar" alt="${'x'.repeat(99)}"></p>`,
    '<div class="comment"><a rel="author">Ada Hill</a></div>',
    '<div itemprop="review"><span itemprop="author">Ada Hill</span></div>',
  ])('is not found in %s', async (html) => {
    expect(await inArticle(html)).toBeUndefined();
  });
});
