import { describe, expect, it } from 'vitest';
import { MAX_CONTENT, mainContent } from './main-content.ts';

const read = (html: string) => mainContent(html, new URL('https://a.example/docs/page'));
const SENTENCE = 'A sentence of a text that is long enough to be the content of a page. ';
const long = SENTENCE.repeat(5);

describe('the main content of a page', () => {
  it('is the article without navigation, sidebars, scripts and hidden parts', async () => {
    const found =
      await read(`<body><nav><a href=/>Home</a></nav><div class="site-menu menu">Menu</div>
      <article><h1>Title</h1><p>${long}</p><aside>Related</aside><p hidden>Hidden</p><script>run()</script></article>
      <footer>Imprint</footer></body>`);
    expect(found).toBe(`# Title\n\n${long.trim()}`);
  });

  it('keeps headings, lists, links, emphasis, code, quotations, images and tables', async () => {
    const found = await read(`<main><p>${long}</p><h2>Part <em>two</em></h2>
      <ul><li>One</li><li><a href="../x?a=1">Two</a><ul><li>Inner</li></ul></li></ul>
      <ol><li>First</li><li>Second</li></ol><blockquote><p>Said.</p></blockquote>
      <pre><code>let a = 1;\n  b();\n</code></pre><p><img src=/i.png alt="A chart"> and <code>x_y</code></p>
      <table><tr><th>Name</th><th>Value</th></tr><tr><td>a|b</td><td>2</td></tr></table></main>`);
    expect(found.slice(long.length - 1)).toBe(
      [
        '',
        '## Part *two*',
        '- One\n- [Two](https://a.example/x?a=1)\n  - Inner\n1. First\n2. Second',
        '> Said.',
        '```\nlet a = 1;\n  b();\n```',
        '![A chart](https://a.example/i.png) and `x_y`',
        '| Name | Value |\n| --- | --- |\n| a\\|b | 2 |',
      ].join('\n\n'),
    );
  });

  it('is the text outside link lists if no element marks it', async () => {
    const found = await read(
      `<body><div><a href=/1>One</a> <a href=/2>Two</a></div><div><p>${long}</p></div></body>`,
    );
    expect(found).toBe(long.trim());
  });

  it('escapes Markdown characters', async () => {
    expect(await read('<p>1 * 2 _a_ [b] <b>c</b></p>')).toBe('1 \\* 2 \\_a\\_ \\[b\\] **c**');
  });

  it('is empty without text and never exceeds its limit', async () => {
    expect(await read('<body><script>build()</script></body>')).toBe('');
    expect((await read(`<p>${'long text '.repeat(100_000)}</p>`)).length).toBe(MAX_CONTENT);
    expect((await read('<p>a</p>'.repeat(400_000))).length).toBeLessThanOrEqual(MAX_CONTENT);
  });

  it.each([
    '<a href=x>',
    '<p>',
    '<table><tr><td>',
    '<ul><li>',
    '<b>',
    '<pre>',
    '</p></a></b>',
    '<blockquote>',
  ])('stays within its limit on a page that repeats only %s', async (piece) => {
    expect((await read(`${piece}x`.repeat(20_000))).length).toBeLessThanOrEqual(MAX_CONTENT);
  });
});
