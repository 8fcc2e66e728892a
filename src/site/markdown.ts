/** Markdown as HTML for the pages of the site. */
import { Marked } from 'marked';
import { markdownWith } from './markdown-with.ts';

const links = /^(https?:|mailto:|\/(?!\/)|#|\.)/i;

export const markdownHtml = markdownWith(Marked, { links, ids: '', copies: true });

/** A tool's document on the tool's page, which has ids of its own. */
export const toolMarkdownHtml = markdownWith(Marked, { links, ids: 'doc-' });

/** A text that somebody else wrote. */
export const textHtml = markdownWith(Marked, { links, ids: null });

/** The id of a heading: what a link to it ends with. */
export const headingId = (heading: string): string =>
  /id="([^"]*)"/.exec(markdownHtml(`# ${heading}`))?.[1] ?? '';
