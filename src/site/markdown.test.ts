import { describe, expect, it } from 'vitest';
import { markdownHtml } from './markdown.ts';
import { markdownWith } from './markdown-with.ts';

describe('markdown on the site', () => {
  it('shows raw HTML as text', () => {
    const html = markdownHtml('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b');
    expect(html).not.toMatch(/<(script|img)/);
    expect(html).toContain('&#60;script');
  });

  it('is plain HTML for use elsewhere if that is requested', () => {
    const plain = markdownWith({ links: /^https:/, ids: null, isPlain: true });
    expect(plain('```js\na<b\n```\n')).toBe(
      '<pre><code class="language-js">a&#60;b</code></pre>\n',
    );
    expect(plain('|a|\n|-|\n|b|\n')).toMatch(/^<table>.*<\/table>\n$/s);
  });

  it('escapes the description, title and address of an image', () => {
    const rules = { links: /^https:/, images: /^/, ids: null };
    const text = `![*a*"<b onclick=x>](<x"y> 'c"d')`;
    expect(markdownWith({ ...rules, isPlain: true })(text)).toBe(
      '<p><img src="x&#34;y" alt="a&#34;&#60;b onclick=x&#62;" title="c&#34;d"></p>\n',
    );
    expect(markdownWith(rules)(text)).toBe(
      '<p><span class="unloaded">Image: a&#34;&#60;b onclick=x&#62;</span></p>\n',
    );
  });

  it('shows deeply nested text without formatting', () => {
    const text = `a\n\n${'> '.repeat(20_000)}<b>`;
    expect(markdownHtml(text)).toMatch(/^<pre>a\n\n(?:&#62; ){20000}&#60;b&#62;<\/pre>$/);
  });

  it.each(['> ', '- ', '1. ', '- > '])(
    'formats 32 levels of "%s" on a line and shows a line with more as text',
    (marker) => {
      const nested = (depth: number) =>
        `${marker.repeat(depth / marker.trim().split(' ').length)}a\nb`;
      expect(markdownHtml(nested(32))).not.toContain('<pre>');
      expect(markdownHtml(nested(34))).toBe(`<pre>${nested(34).replaceAll('>', '&#62;')}</pre>`);
    },
  );

  it('never links to scripts or data, in any spelling', () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '&#106;avascript:x',
      '//evil.example',
    ])
      expect(markdownHtml(`[text](${href}) <${href}>`)).not.toContain('<a');
  });

  it('escapes characters that would break out of an attribute', () => {
    const html = markdownHtml('[a](https://example.com/?"onclick=alert(1))');
    expect(html).not.toContain('"onclick');
  });

  it('renders an empty table corner as a data cell, not a header cell', () => {
    const html = markdownHtml('| | A |\n| --- | ---: |\n| b | 1 |');
    expect(html).toContain('<td></td>\n<th align="right">A</th>');
    expect(html).toContain('<td align="right">1</td>');
  });

  it('gives headings an ID and lowers their level', () => {
    expect(markdownHtml('## Other tools', 1)).toContain('<h3 id="other-tools">Other tools</h3>');
  });
});
