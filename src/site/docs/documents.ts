/** The written pages of /docs, in the order of their navigation. */
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
];

export const DOCUMENTS: readonly DocsDocument[] = SOURCES.map(([path, source]) => {
  const [, head = '', markdown = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  return { path, title: field('title'), summary: field('description'), markdown };
});
