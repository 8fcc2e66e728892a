import { describe, expect, it } from 'vitest';
import { githubMarkdown } from './github-markdown.ts';
import { markdownWith } from './markdown-with.ts';

const html = markdownWith({
  links: /^https:/,
  ids: null,
  isPlain: true,
  extensions: [githubMarkdown()],
});

describe('footnotes', () => {
  it('are numbered by their first reference and listed at the end', () => {
    expect(html('x[^b] y[^A] z[^b]\n\n[^a]: One\n[^b]: Two\n\nend')).toBe(
      `<p>x<sup><a href="#fn-1" id="fnref-1">1</a></sup> y<sup><a href="#fn-2" id="fnref-2">2</a></sup> z<sup><a href="#fn-1">1</a></sup></p>
<p>end</p>
<section class="footnotes" aria-label="Footnotes"><ol>
<li id="fn-1"><p>Two <a href="#fnref-1" aria-label="Back to reference 1">↩</a></p>
</li>
<li id="fn-2"><p>One <a href="#fnref-2" aria-label="Back to reference 2">↩</a></p>
</li>
</ol></section>
`,
    );
  });

  it('contain several paragraphs and references to other footnotes', () => {
    const notes = html(
      'x[^1]\n[^1]: One[^2]\n\n    ```\n    code\n    ```\n\n[^2]: Two\n\n    end',
    );
    expect(notes).toContain('<pre><code>code</code></pre> <a href="#fnref-1"');
    expect(notes).toMatch(/<li id="fn-2"><p>Two<\/p>\n<p>end <a/);
  });

  it('are not listed without a reference, and a reference without a footnote is text', () => {
    expect(html('x[^1] `[^2]`\n\n[^2]: Two')).toBe('<p>x[^1] <code>[^2]</code></p>\n');
  });

  it('of an earlier text are forgotten', () => {
    html('x[^1]\n\n[^1]: One');
    expect(html('x[^1]')).toBe('<p>x[^1]</p>\n');
  });

  it('end at a block, such as a heading', () => {
    expect(html('[^1]: One\nmore\n# Next')).toBe('<h1>Next</h1>\n');
  });

  it('contain no definitions of others', () => {
    expect(html('x[^a]\n\n[^a]: a\n\n    [^b]: y').match(/<li/g)).toHaveLength(1);
  });

  it('show raw HTML as text', () => {
    expect(html('x[^1]\n\n[^1]: a <b>')).toContain('<p>a &#60;b&#62; <a');
  });
});

describe('alerts', () => {
  it('have a title', () => {
    const alert = `<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p>
<p>Hi <em>you</em></p>
</div>
`;
    expect(html('> [!NOTE]\n> Hi *you*')).toBe(alert);
    expect(html('> [!note]\n>\n> Hi *you*')).toBe(alert);
  });

  it.each(['> [!NOTE] a', '> [!OTHER]\n> a', '> a\n> [!NOTE]'])('%j is a quote', (text) => {
    expect(html(text)).toMatch(/^<blockquote>/);
  });
});
