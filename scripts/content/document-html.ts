/** Renders the documents as HTML with colored code; `{base_url}` is replaced when a page is served. */
import type { ContentDocument } from '../../src/core/content.ts';
import { DOCUMENT_LINKS } from '../../src/site/markdown.ts';
import { markdownWith } from '../../src/site/markdown-with.ts';
import { highlight } from '../reference/highlight.ts';

const documentHtml = markdownWith({ links: DOCUMENT_LINKS, ids: '', copies: true, highlight });
/** The prefix keeps the ids apart from those of the tool's page, which contains the document. */
const toolDocumentHtml = markdownWith({ links: DOCUMENT_LINKS, ids: 'doc-', highlight });

/**
 * Returns the HTML of each document by its path, except for the section Tools, whose documents have pages of their
 * tools.
 */
export const renderedDocuments = (
  documents: readonly ContentDocument[],
): [path: string, html: string][] =>
  documents
    .filter(({ section }) => section !== 'Tools')
    .map(({ path, section, markdown }) => [
      path,
      section === 'Tool docs' ? toolDocumentHtml(markdown, 1) : documentHtml(markdown),
    ]);
