/** Markdown as HTML for the pages of the site. */
import { markdownWith } from './markdown-with.ts';

const links = /^(https?:|mailto:|\/(?!\/)|#|\.)/i;

export const markdownHtml = markdownWith({ links, ids: '', copies: true });

/** A tool's document on the tool's page, which has ids of its own. */
export const toolMarkdownHtml = markdownWith({ links, ids: 'doc-' });

/** A text that somebody else wrote. */
export const textHtml = markdownWith({ links, ids: null });

/** The id of a heading: what a link to it ends with. */
export const headingId = (heading: string): string =>
  /id="([^"]*)"/.exec(markdownHtml(`# ${heading}`))?.[1] ?? '';
