import { describe, expect, it } from 'vitest';
import { markdownHtml } from './markdown.ts';

describe('markdown on the site', () => {
  it('shows raw HTML as text', () => {
    const html = markdownHtml('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b');
    expect(html).not.toMatch(/<(script|img)/);
    expect(html).toContain('&#60;script');
  });

  it('shows text that nests too deep as it is', () => {
    const text = `a\n\n${'> '.repeat(20_000)}<b>`;
    expect(markdownHtml(text)).toMatch(/^<pre>a\n\n(?:&#62; ){20000}&#60;b&#62;<\/pre>$/);
  });

  it.each(['> ', '- ', '1. ', '- > '])(
    'nests 32 of "%s" on a line, and shows a line with more as it is',
    (marker) => {
      const nested = (depth: number) =>
        `${marker.repeat(depth / marker.trim().split(' ').length)}a\nb`;
      expect(markdownHtml(nested(32))).not.toContain('<pre>');
      expect(markdownHtml(nested(34))).toBe(`<pre>${nested(34).replaceAll('>', '&#62;')}</pre>`);
    },
  );

  it('makes no links to scripts or data, however they are written', () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '&#106;avascript:x',
      '//evil.example',
    ])
      expect(markdownHtml(`[text](${href}) <${href}>`)).not.toContain('<a');
  });

  it('escapes what would leave an attribute', () => {
    const html = markdownHtml('[a](https://example.com/?"onclick=alert(1))');
    expect(html).not.toContain('"onclick');
  });

  it('makes no heading of the empty corner of a table', () => {
    const html = markdownHtml('| | A |\n| --- | ---: |\n| b | 1 |');
    expect(html).toContain('<td></td>\n<th align="right">A</th>');
    expect(html).toContain('<td align="right">1</td>');
  });

  it('gives headings an id and moves them down', () => {
    expect(markdownHtml('## Other tools', 1)).toContain('<h3 id="other-tools">Other tools</h3>');
  });
});
