/** Renders Markdown for the pages of the site. */
import { markdownWith } from './markdown-with.ts';

const links = /^(https?:|mailto:|\/(?!\/)|#|\.)/i;

export const markdownHtml = markdownWith({ links, ids: '', copies: true });

/** A tool's document on the tool's page, which has other ids. */
export const toolMarkdownHtml = markdownWith({ links, ids: 'doc-' });

/** A third-party text. */
export const textHtml = markdownWith({ links, ids: null });

/** The id of a heading, for links to it. */
export const headingId = (heading: string): string =>
  /id="([^"]*)"/.exec(markdownHtml(`# ${heading}`))?.[1] ?? '';
