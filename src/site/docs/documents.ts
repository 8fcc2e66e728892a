/** The written pages of /docs, in the order of their navigation. */
import { readFrontMatter } from '../../content/front-matter.ts';
import accounts from './accounts.md';
import chains from './chains.md';
import errors from './errors.md';
import files from './files.md';
import mcp from './mcp.md';
import start from './start.md';

export interface DocsDocument {
  path: string;
  title: string;
  summary: string;
  markdown: string;
}

const SOURCES: [path: string, source: string][] = [
  ['/docs', start],
  ['/docs/files', files],
  ['/docs/errors', errors],
  ['/docs/chains', chains],
  ['/docs/mcp', mcp],
  ['/docs/accounts', accounts],
];

export const DOCUMENTS: readonly DocsDocument[] = SOURCES.map(([path, source]) => {
  const { fields, body } = readFrontMatter(source);
  return { path, title: String(fields.title), summary: String(fields.description), markdown: body };
});
