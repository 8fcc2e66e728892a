/**
 * Reads the documents of the repository: Markdown files with front matter, and documents generated from the registry.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ContentDocument } from '../../src/core/content.ts';
import { SECTION_PATHS, SECTIONS, UNLISTED } from '../../src/core/content.ts';
import type { Tool } from '../../src/core/define-tool.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { withToolParts } from '../tool-parts.ts';
import { readFrontMatter } from './front-matter.ts';
import { fillMarkers, pageText } from './tool-documents.ts';

type AnySection = ContentDocument['section'];

export interface SourceDocument extends ContentDocument {
  /** Earlier paths of the document, which redirect to it. */
  formerly: string[];
}

const FOLDERS: [folder: string, section: AnySection][] = [
  ['content/blog', 'Blog'],
  ['content/how-to', 'How-to'],
  ['content/comparisons', 'Comparisons'],
  ['site/docs', UNLISTED],
];
/** The publication date of documents that declare no date. */
const FIRST_DAY = '2026-11-21T00:00:00.000Z';

/** Returns all documents, sorted by section and then from newest to oldest. Throws if a document is malformed. */
export function readDocuments(root = 'src'): SourceDocument[] {
  const documents = [
    ...TOOLS.flatMap((tool) => toolDocuments(root, tool)),
    ...FOLDERS.flatMap(([folder, section]) =>
      markdownFiles(join(root, folder)).map((file) =>
        readDocument(
          file,
          section,
          `${SECTION_PATHS[section]}/${basename(file, '.md')}`.replace(/\/start$/, ''),
          {},
        ),
      ),
    ),
  ];
  const paths = new Set<string>();
  for (const { path } of documents) {
    if (paths.has(path)) throw new Error(`two documents have the path ${path}`);
    paths.add(path);
  }
  return inOrder(documents);
}

/**
 * Maps the earlier paths of renamed documents to their current paths. Throws if an earlier path is also a current or an
 * earlier path of another document.
 */
export function renamedPaths(documents: readonly SourceDocument[]): Record<string, string> {
  const paths = new Set(documents.map(({ path }) => path));
  const renamed: Record<string, string> = {};
  for (const { path, formerly } of documents) {
    for (const earlier of formerly) {
      if (paths.has(earlier)) throw new Error(`two documents have the path ${earlier}`);
      paths.add(earlier);
      renamed[earlier] = path;
    }
  }
  return renamed;
}

const ORDER: readonly AnySection[] = [...SECTIONS, UNLISTED];

export const inOrder = <Document extends ContentDocument>(
  documents: readonly Document[],
): Document[] =>
  [...documents].sort(
    (one, other) =>
      ORDER.indexOf(one.section) - ORDER.indexOf(other.section) ||
      compare(other.publishedAt, one.publishedAt) ||
      compare(one.path, other.path),
  );

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Throws an Error that names the file. */
function frontMatterOf(file: string): ReturnType<typeof readFrontMatter> {
  try {
    return readFrontMatter(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function toolDocuments(root: string, tool: Tool): SourceDocument[] {
  const { name, title, description } = tool;
  const file = join(root, 'tools', name, `${name}.md`);
  const written = readDocument(file, 'Tool docs', `${SECTION_PATHS['Tool docs']}/${name}`, {
    title,
    description,
  });
  // The tool's name becomes a tag, so that searching for the name or parts of it finds the document.
  const tags = [...new Set([...written.tags, name])];
  const markdown = fillMarkers(written.markdown, tool);
  const shown: SourceDocument = {
    ...written,
    formerly: [],
    path: `${SECTION_PATHS.Tools}/${name}`,
    section: 'Tools',
    title,
    description: written.description,
    tags,
    markdown: pageText(tool),
  };
  return [{ ...written, tags, markdown }, shown];
}

function readDocument(
  file: string,
  section: AnySection,
  path: string,
  otherwise: { title?: string; description?: string },
): SourceDocument {
  const { fields, body } = frontMatterOf(file);
  const title = fields.title || otherwise.title;
  const description = fields.description || otherwise.description;
  if (!title || !description) throw new Error(`${file} lacks a title or a description`);
  if (body === '') throw new Error(`${file} is empty`);
  const publishedAt = new Date(fields.publishedAt ?? FIRST_DAY).toISOString();
  return {
    path,
    section,
    title,
    description,
    tags: fields.tags,
    formerly: fields.formerly.map((name) => `${SECTION_PATHS[section]}/${name}`),
    publishedAt,
    updatedAt: new Date(fields.updatedAt ?? publishedAt).toISOString(),
    markdown: withToolParts(file, body),
  };
}

const markdownFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => join(folder, name))
    : [];
