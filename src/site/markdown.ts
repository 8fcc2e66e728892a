/** Renders Markdown for the pages of the site. */
import { markdownWith } from './markdown-with.ts';

/** Matches the allowed links. The placeholders `{base_url}` and `{storage_url}` are replaced later. */
export const DOCUMENT_LINKS = /^(https?:|mailto:|\/(?!\/)|#|\.|\{(?:base|storage)_url\}\/)/i;

export const markdownHtml = markdownWith({ links: DOCUMENT_LINKS, ids: '', copies: true });

/** Renders text that is not ours, without heading ids and copy buttons. */
export const textHtml = markdownWith({ links: DOCUMENT_LINKS, ids: null });

/** Returns the id of a heading, for links to it. */
export const headingId = (heading: string): string =>
  /id="([^"]*)"/.exec(markdownHtml(`# ${heading}`))?.[1] ?? '';
