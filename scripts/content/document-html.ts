/** Renders the documents as HTML with syntax highlighting. The server replaces `{base_url}` when it serves a page. */
import type { ContentDocument } from '../../src/core/content.ts';
import { DOCUMENT_LINKS } from '../../src/site/markdown.ts';
import { markdownWith } from '../../src/site/markdown-with.ts';
import { highlight } from '../reference/highlight.ts';

const documentHtml = markdownWith({ links: DOCUMENT_LINKS, ids: '', copies: true, highlight });
/** The prefix prevents duplicate IDs, because a tool's page embeds the document. */
const toolDocumentHtml = markdownWith({ links: DOCUMENT_LINKS, ids: 'doc-', highlight });

/** Adds an `id` attribute to each error code in a table, so that links such as /docs/errors#rate_limited work. */
const withCodeIds = (html: string): string =>
  html.replace(/<code>([a-z_]+)<\/code>(?=.*<\/td>)/g, '<code id="$1">$1</code>');

/**
 * Marks the advice to drop files on the page, so that the style sheet can hide it on touch devices. The sentence is
 * also correct without the advice.
 */
const withMouseAdvice = (html: string): string =>
  html.replace(/,? (?:or )?drop (?:it|them) on the page/g, '<span class="for-mouse">$&</span>');

/**
 * Returns each document's HTML by path. Excludes the Tools section, because its documents are Markdown versions of the
 * tool pages.
 */
export const renderedDocuments = (
  documents: readonly ContentDocument[],
): [path: string, html: string][] =>
  documents
    .filter(({ section }) => section !== 'Tools')
    .map(({ path, section, markdown }) => {
      if (section === 'Tool docs') return [path, withMouseAdvice(toolDocumentHtml(markdown, 1))];
      const html = documentHtml(markdown);
      return [path, path === '/docs/errors' ? withCodeIds(html) : html];
    });
