/** Lists the written pages of /docs in navigation order. */
import type { Library } from '../../content/library.ts';

export const DOCS_PATHS = [
  '/docs',
  '/docs/files',
  '/docs/errors',
  '/docs/chains',
  '/docs/mcp',
  '/docs/accounts',
];

export interface DocsLink {
  path: string;
  name: string;
}

export interface GuideLink extends DocsLink {
  /** The words of the page that the search in the API reference finds. */
  words: string;
}

export const docsLinks = (library: Library): GuideLink[] =>
  DOCS_PATHS.map((path) => {
    const { title, markdown } = library.find(path)!;
    return { path, name: title, words: wordsFound(markdown) };
  });

/** Matches headings, link texts, and table rows, which contain the status codes and the error codes. */
const FOUND = /^(?:#+ |\|).*$|\[[^\][]+\]\(/gm;

/** Returns the distinct words in the headings, link texts and table rows of a page. */
function wordsFound(markdown: string): string {
  const parts = (markdown.match(FOUND) ?? []).join(' ').toLowerCase();
  return [...new Set(parts.match(/\w+(?:-+\w+)*/g))].join(' ');
}
