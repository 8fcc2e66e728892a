/** Markdown as HTML for the pages of the site. */
import { Marked } from 'marked';
import { markdownWith } from './markdown-with.ts';

export const markdownHtml = markdownWith(Marked, {
  links: /^(https?:|mailto:|\/(?!\/)|#|\.)/i,
  ids: true,
});

/** The id of a heading: what a link to it ends with. */
export const headingId = (heading: string): string =>
  /id="([^"]*)"/.exec(markdownHtml(`# ${heading}`))?.[1] ?? '';
