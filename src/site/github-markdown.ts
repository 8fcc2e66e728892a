/** Adds GitHub's footnotes and alerts to Markdown. */
import type { MarkedExtension, Token, Tokens } from 'marked';

/**
 * Matches a footnote with its continuation lines, which are plain text, and its continuation paragraphs, which are
 * indented.
 */
const DEFINITION =
  /^\[\^([^\]\s]{1,99})\]:([^\n]*(?:\n(?:(?![[#>`~*+-]|\d{1,9}[.)] |\n)|\n+ {4})[^\n]*)*)\n?/;
/**
 * A footnote after a longer paragraph needs a blank line before it. Without this limit, the whole text would be scanned
 * for each paragraph.
 */
const LONGEST_PARAGRAPH = 5000;
const REFERENCE = /^\[\^([^\]\s]{1,99})\]/;
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

interface Footnote {
  tokens: Token[];
  /** The position in the list at the end. Undefined until the footnote is referenced. */
  number?: number;
}

/** Returns an extension that only one renderer can use, because it holds the footnotes of the current text. */
export function githubMarkdown(): MarkedExtension {
  const footnotes = new Map<string, Footnote>();
  const referenced: Footnote[] = [];
  /** Nested footnotes are not parsed, because each level would scan the rest of the text again. */
  let isInFootnote = false;
  return {
    hooks: {
      preprocess(text) {
        footnotes.clear();
        referenced.length = 0;
        return text;
      },
      processAllTokens: (tokens) => [...tokens, { type: 'footnotes', raw: '' }],
    },
    extensions: [
      {
        name: 'footnote',
        level: 'block',
        start(text) {
          const at = text.slice(0, LONGEST_PARAGRAPH).indexOf('\n[^');
          return at < 0 ? undefined : at + 1;
        },
        tokenizer(text) {
          const [raw, label, body] = isInFootnote ? [] : (DEFINITION.exec(text) ?? []);
          if (raw === undefined) return undefined;
          isInFootnote = true;
          const tokens = this.lexer.blockTokens(body!.replace(/^ {4}/gm, '').trimStart());
          isInFootnote = false;
          const key = label!.toLowerCase();
          if (!footnotes.has(key)) footnotes.set(key, { tokens });
          return { type: 'footnote', raw, tokens };
        },
        renderer: () => '',
      },
      {
        name: 'reference',
        level: 'inline',
        tokenizer(text) {
          const [raw, label] = REFERENCE.exec(text) ?? [];
          const footnote = raw && footnotes.get(label!.toLowerCase());
          return footnote ? { type: 'reference', raw, footnote } : undefined;
        },
        renderer({ footnote }) {
          const isFirst = footnote.number === undefined;
          if (isFirst) footnote.number = referenced.push(footnote);
          const { number } = footnote;
          const id = isFirst ? ` id="fnref-${number}"` : '';
          return `<sup><a href="#fn-${number}"${id}>${number}</a></sup>`;
        },
      },
      {
        name: 'footnotes',
        renderer() {
          let items = '';
          // A footnote can reference other footnotes, which the loop then reaches.
          for (const { tokens, number } of referenced) {
            const link = `<a href="#fnref-${number}" aria-label="Back to reference ${number}">↩</a>`;
            const body = this.parser.parse(tokens).replace(/(<\/p>)?\n?$/, ` ${link}$1\n`);
            items += `<li id="fn-${number}">${body}</li>\n`;
          }
          return (
            items &&
            `<section class="footnotes" aria-label="Footnotes"><ol>\n${items}</ol></section>\n`
          );
        },
      },
    ],
    renderer: {
      blockquote({ tokens }: Tokens.Blockquote) {
        const [, kind] = ALERT.exec(tokens[0]?.raw ?? '') ?? [];
        if (!kind) return false;
        const name = kind.toLowerCase();
        const title = name[0]!.toUpperCase() + name.slice(1);
        const body = this.parser
          .parse(tokens)
          .replace(/^<p>\[!\w+\]\s*(?:<br>\s*)?/, '<p>')
          .replace('<p></p>\n', '');
        return `<div class="markdown-alert markdown-alert-${name}"><p class="markdown-alert-title">${title}</p>\n${body}</div>\n`;
      },
    },
  };
}
