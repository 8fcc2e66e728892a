/** Renders the documents as HTML with coloured code; `{base_url}` is replaced when a page is served. */
import type { ContentDocument } from '../../src/core/content.ts';
import { DOCUMENT_LINKS } from '../../src/site/markdown.ts';
import { markdownWith } from '../../src/site/markdown-with.ts';
import { highlight } from '../reference/highlight.ts';

const documentHtml = markdownWith({ links: DOCUMENT_LINKS, ids: '', copies: true, highlight });
/** A tool's document is a part of the tool's page, which has other ids. */
const toolDocumentHtml = markdownWith({ links: DOCUMENT_LINKS, ids: 'doc-', highlight });

/** The HTML of each document by its path; a page of the site has no document in the section Tools. */
export const renderedDocuments = (
  documents: readonly ContentDocument[],
): [path: string, html: string][] =>
  documents
    .filter(({ section }) => section !== 'Tools')
    .map(({ path, section, markdown }) => [
      path,
      section === 'Tool docs' ? toolDocumentHtml(markdown, 1) : documentHtml(markdown),
    ]);
