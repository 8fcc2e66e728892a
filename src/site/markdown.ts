/** Markdown as HTML, sanitised by construction: raw HTML is shown as text, links lead only where links may. */
import { Marked } from 'marked';

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const isSafe = (href: string) => /^(https?:|mailto:|\/(?!\/)|#|\.)/i.test(href);

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return isSafe(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
    },
    heading({ tokens, depth, text }) {
      const id = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, '');
      const tag = `h${Math.min(depth + lowered, 6)}`;
      return `<${tag} id="${escaped(id)}">${this.parser.parseInline(tokens)}</${tag}>\n`;
    },
    code: ({ text }) =>
      `<pre tabindex="0" role="group" aria-label="Code"><code>${escaped(text)}</code></pre>\n`,
  },
});

let lowered = 0;

/** The HTML of a markdown text; `lower` moves its headings down by so many levels. */
export function markdownHtml(text: string, lower = 0): string {
  lowered = lower;
  return (marked.parse(text, { async: false }) as string)
    .replaceAll('<table>', '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');
}
