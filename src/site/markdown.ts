/** Renders Markdown for the pages of the site. */
import { Marked } from 'marked';
import { markdownWith } from './markdown-with.ts';

const links = /^(https?:|mailto:|\/(?!\/)|#|\.)/i;

export const markdownHtml = markdownWith(Marked, { links, ids: '', copies: true });

/** A tool's document on the tool's page, which has other ids. */
export const toolMarkdownHtml = markdownWith(Marked, { links, ids: 'doc-' });

/** A third-party text. */
export const textHtml = markdownWith(Marked, { links, ids: null });

/** The id of a heading, for links to it. */
export const headingId = (heading: string): string =>
  /id="([^"]*)"/.exec(markdownHtml(`# ${heading}`))?.[1] ?? '';
