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

export const docsLinks = (library: Library): DocsLink[] =>
  DOCS_PATHS.map((path) => ({ path, name: library.find(path)!.title }));
