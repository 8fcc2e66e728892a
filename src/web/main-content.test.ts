import { describe, expect, it } from 'vitest';
import { MAX_CONTENT, mainContent } from './main-content.ts';

const read = async (html: string) =>
  (await mainContent(html, new URL('https://a.example/docs/page'))).markdown;
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

  it.each([
    ['<pre><code class="hljs language-js">a</code></pre>', 'js'],
    ['<div class="highlight highlight-source-python"><pre>a</pre></div>', 'python'],
    [
      '<div class="highlight-c++ notranslate"><div class="highlight"><pre>a</pre></div></div>',
      'c++',
    ],
    ['<pre class="lang-none">a</pre>', ''],
    ['<p><code class="language-js">x</code></p><pre>a</pre>', ''],
    ['<div class="highlight-box"><pre>a</pre></div>', ''],
    ['<pre class="lang-js">a</pre><pre>a</pre>', ''],
    ['<div class="language-selector">English</div><pre>a</pre>', ''],
    ['<div class="lang-en"><p>One</p><pre>a</pre></div>', ''],
    ['<div class="lang-en">One<pre class="lang-js">a</pre></div>', 'js'],
  ])('names the language of %s', async (html, language) => {
    const found = await read(`<main><p>${long}</p>${html}</main>`);
    expect(found.endsWith(`\n\`\`\`${language}\na\n\`\`\``)).toBe(true);
  });

  it('keeps or omits a list as a whole', async () => {
    const item = (text: string) => `<li><a href=/1>A link</a>${text}`;
    const mixed = `<p>${long}</p><ul>${item('')}${item(': a longer text')}</ul>`;
    expect(await read(mixed)).toBe(
      `${long.trim()}\n\n- [A link](https://a.example/1)\n- [A link](https://a.example/1): a longer text`,
    );
    const menu = `<ul>${item('').repeat(9)}<li>Search</ul>`;
    expect(await read(`<p>${long}</p>${menu}`)).toBe(long.trim());
    expect(await read(`<p>${long}</p><p>More:</p>${menu}`)).not.toContain('Search');
    expect(await read(`<p>${long}</p><p>${SENTENCE.slice(0, -2)}:</p>${menu}`)).toContain('Search');
  });

  it('keeps headings and sections whose IDs are names of menus', async () => {
    const headings = '<h2 id="navigation">Keys</h2><p>One</p><dl><dt id="menu">Two<dd>Three</dl>';
    const sections = `<section id="footer">${headings}</section><div class="section" id="a-menu">Four</div>`;
    const menu = '<div id="main-menu">Five</div><h2 class="comments">Six</h2>';
    expect(await read(`<main><p>${long}</p>${sections}${menu}</main>`)).toBe(
      `${long.trim()}\n\n## Keys\n\nOne\n\nTwo\n\nThree\n\nFour`,
    );
  });

  it.each(['¶', '#', '§', '🔗'])('omits the link %s from a heading to itself', async (sign) => {
    const heading = `<h2>One<a href="#one">${sign}</a></h2>`;
    expect(await read(`<main><p>${long}</p>${heading}</main>`)).toBe(`${long.trim()}\n\n## One`);
  });

  it('keeps links between paragraphs, and linked headings before paragraphs', async () => {
    const link = '<a href=/1>A link that is long</a>';
    const found = await read(`<h3>${link}</h3><p>${link}</p><h2>${link}</h2><p>${long}</p>
      <p>${link} too</p><p>${long}</p><p>${link}</p><h3>${link}</h3><ul><li>${link}</ul><h3>More</h3>`);
    const address = '[A link that is long](https://a.example/1)';
    expect(found.split('\n\n')).toEqual([
      `## ${address}`,
      long.trim(),
      `${address} too`,
      long.trim(),
    ]);
  });

  it('begins a paragraph after two line breaks, but not inside emphasis or links', async () => {
    expect(await read(`${long}<br>One<br/>\n<br>Two <b>a<br><br>b</b><br><br><br>Three`)).toBe(
      `${long}One\n\nTwo **a b**\n\nThree`,
    );
    expect(await read(`<p>${long}</p><p>a <a href=/x>b<br><br>c</a></p>`)).toContain('[b c]');
    expect(await read(`<table><tr><td>a<br><br>b<td>c</table><p>${long}`)).toContain('| a b | c |');
  });

  it('keeps empty and spanning cells, and cells with several paragraphs', async () => {
    const found = await read(`<main><p>${long}</p><table><thead><tr><th>A<th>B<th>C</thead>
      <tr><td>1</td><td></td><td><p>two</p><p>three</p></td></tr><tr><td colspan=2>all<td>4
      <tr><td>5</table></main>`);
    expect(found.split('\n\n')[1]).toBe(
      '| A | B | C |\n| --- | --- | --- |\n| 1 |  | two three |\n| all |  | 4 |\n| 5 |  |  |',
    );
  });

  it('converts cells of a layout table to blocks and an inner table to a table', async () => {
    const found = await read(`<table><tr><td>Logo</td></tr><tr><td><h1>Title</h1><p>${long}</p>
      <ul><li>One</li></ul><table><tr><th>Name<th>Value<tr><td>a<td>1</table>After</td></tr></table>`);
    expect(found).toBe(
      `Logo\n\n# Title\n\n${long.trim()}\n\n- One\n\n| Name | Value |\n| --- | --- |\n| a | 1 |\n\nAfter`,
    );
  });

  it('keeps the markers of list items and headings that contain paragraphs', async () => {
    const found = await read(
      `<main><p>${long}</p><h2><div>Part</div></h2><ul><li><p>One</p><p>More</p></li><li></li></ul><p>End</p></main>`,
    );
    expect(found.slice(long.length + 1)).toBe('## Part\n\n- One\n\nMore\n\nEnd');
  });

  it('does not write a table with very many columns, whose rows would all be as wide', async () => {
    const wide = `<table><tr>${'<td colspan=20>a'.repeat(9000)}</tr>${'<tr><td>x<td>y'.repeat(9000)}`;
    expect((await read(wide)).slice(0, 6)).toBe('a\n\na\n\n');
    expect(await read(wide)).toContain('| x | y |\n| --- | --- |\n| x | y |');
  });

  it('separates a list from a table, and two tables', async () => {
    const table = '<table><tr><td>a<td>b</table>';
    const found = await read(`<main><p>${long}</p><ul><li>One</ul>${table}${table}</main>`);
    const rows = '| a | b |\n| --- | --- |';
    expect(found.slice(long.length + 1)).toBe(`- One\n\n${rows}\n\n${rows}`);
  });

  it('includes content inside a form or an element whose class or ID only suggests a sidebar', async () => {
    const inner = `<div class="sidebar">Links</div><p>${long}</p>`;
    for (const open of [
      '<div class="layout with-sidebar">',
      '<div id=menu>',
      '<form id=aspnetForm>',
    ]) {
      expect(await read(`<body>${open}${inner}`), open).toContain(long.trim());
    }
    expect(await read(`<p>${long}</p><form><p>Subscribe to our letters</p></form>`)).toBe(
      long.trim(),
    );
  });

  it('omits hidden elements and uses the address of a lazy-loaded image', async () => {
    const found = await read(
      `<main><p>${long}</p><div style="color: red; display:none">Modal</div>
      <img alt=Chart src="data:image/gif;base64,R0lGOD" data-src="/late.png"></main>`,
    );
    expect(found.slice(long.length + 1)).toBe('![Chart](https://a.example/late.png)');
  });

  it('reports that a page with too many tags was cut', async () => {
    const many = `<p>${long}</p>${'<p>a</p>'.repeat(60_000)}`;
    expect((await mainContent(many, new URL('https://a.example/'))).isCut).toBe(true);
    expect((await mainContent(`<p>${long}</p>`, new URL('https://a.example/'))).isCut).toBe(false);
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
