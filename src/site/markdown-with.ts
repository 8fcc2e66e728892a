/** Renders Markdown as HTML that is safe by construction. preview_markdown runs this code in its page. */
import { Marked, type MarkedExtension } from 'marked';

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Matches more than 32 nested quotes and lists, or 200 asterisks, which the library does not parse in linear time. */
const DEEP = /^(?:\[\^[^\]\s]{1,99}\]:)?(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){33}|\*{200}/m;

interface MarkdownRules {
  /** Matches the allowed links. All other links are replaced by their text. */
  links: RegExp;
  /** Matches the allowed image URLs. All other images are replaced by their descriptions. */
  images?: RegExp;
  /** The prefix of heading ids, or null if headings get no ids. */
  ids: string | null;
  /** Whether the HTML is for use elsewhere. If so, it contains no elements that only this site needs. */
  isPlain?: boolean;
  /** Whether code blocks have a copy button. Blocks that show the output of other code never have one. */
  copies?: boolean;
  /** Highlights code in the language of its fence, and returns it as HTML. */
  highlight?: (code: string, language: string) => string;
  extensions?: readonly MarkedExtension[];
}

/**
 * Creates a renderer that shows raw HTML as text. An image that `images` allows becomes an img element if `isPlain` is
 * true, and a placeholder otherwise. `lower` is the number of levels by which headings are moved down.
 */
export function markdownWith({
  links,
  images,
  ids,
  isPlain = false,
  copies = false,
  highlight = (code) => escaped(code),
  extensions = [],
}: MarkdownRules): (text: string, lower?: number) => string {
  let lowered = 0;
  /** The number of earlier headings with the same id. */
  const seen = new Map<string, number>();
  const marked = new Marked(...extensions, {
    gfm: true,
    renderer: {
      html: ({ text }) => escaped(text),
      image({ href, title, text, tokens }) {
        if (!images?.test(href)) return escaped(text);
        const alt = escaped(this.parser.parseInline(tokens, this.parser.textRenderer));
        if (!isPlain) return `<span class="unloaded">Image${alt && `: ${alt}`}</span>`;
        const titled = title ? ` title="${escaped(title)}"` : '';
        return `<img src="${escaped(href)}" alt="${alt}"${titled}>`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return links.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
      },
      heading({ tokens, depth, text }) {
        const plain = text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, '-')
          .replace(/^-|-$/g, '');
        const times = (seen.get(plain) ?? 0) + 1;
        seen.set(plain, times);
        const id = `${ids}${plain}${times > 1 ? `-${times}` : ''}`;
        const tag = `h${Math.min(depth + lowered, 6)}`;
        const name = ids !== null ? ` id="${escaped(id)}"` : '';
        return `<${tag}${name}>${this.parser.parseInline(tokens)}</${tag}>\n`;
      },
      // An empty cell in the first row of a table, such as the corner, must not be a heading.
      tablecell({ header, align, tokens }) {
        const text = this.parser.parseInline(tokens);
        const tag = header && text !== '' ? 'th' : 'td';
        return `<${tag}${align ? ` align="${align}"` : ''}>${text}</${tag}>\n`;
      },
      code({ text, lang = '' }) {
        const language = lang.split(' ')[0]!;
        if (isPlain) return plainCode(text, language);
        const pre = `<pre tabindex="0" role="group" aria-label="Code"><code>${highlight(text, language)}</code></pre>`;
        const isOutput = / (output|result|error|shape)\b/.test(lang);
        return copies && !isOutput ? withCopyButton(pre, text) : `${pre}\n`;
      },
    },
  });
  const parsed = (text: string): string => {
    const unparsed = `<pre>${escaped(text)}</pre>`;
    if (DEEP.test(text)) return unparsed;
    try {
      return marked.parse(text, { async: false }) as string;
    } catch (error) {
      // The library recurses at each level of nested emphasis and links, so deep nesting overflows the stack.
      if (!(error instanceof RangeError)) throw error;
      return unparsed;
    }
  };
  return (text, lower = 0) => {
    lowered = lower;
    seen.clear();
    if (isPlain) return parsed(text);
    return parsed(text)
      .replaceAll(
        '<table>',
        '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>',
      )
      .replaceAll('</table>', '</table></div>');
  };
}

function plainCode(text: string, language: string): string {
  const name = language ? ` class="language-${escaped(language)}"` : '';
  return `<pre><code${name}>${escaped(text)}</code></pre>\n`;
}

/** @param text the code, whose first 60 characters name the button */
function withCopyButton(pre: string, text: string): string {
  const what = escaped(
    text
      .replace(/\s+/g, ' ')
      .slice(0, 60)
      .replace(/\{\w*$/, ''),
  );
  return `<div class="codeblock">${pre}<button type="button" class="small" data-copy aria-label="Copy: ${what}">Copy</button></div>\n`;
}
