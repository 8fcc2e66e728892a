/**
 * Writes the documents, the API reference and the search index to the folder of static assets, which is deployed with
 * the Worker.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { embeddedText } from '../../src/content/embed-passages.ts';
import { indexPassages } from '../../src/content/passage-index.ts';
import { splitPassages } from '../../src/content/split-passages.ts';
import { otherWords } from '../../src/content/thesaurus.ts';
import type { ContentDocument, LibraryFile, Passage } from '../../src/core/content.ts';
import { firstCall } from '../reference/first-call.ts';
import { referencePages, writeReference } from '../reference/pages.ts';
import { replaceFile } from '../replace-file.ts';
import { renderedDocuments } from './document-html.ts';
import { readLegalDocuments } from './legal-documents.ts';
import { readDocuments, renamedPaths } from './sources.ts';

export function writeContentFiles(folder = '.static'): void {
  const sources = readDocuments();
  const documents = sources.map(({ formerly: _, ...document }) => document);
  const renamed = renamedPaths(sources);
  const pages = referencePages(documents);
  const digest = digestOf(JSON.stringify([documents, renamed, pages]));
  const reference = pages.map(({ id }) => `/docs/api/${id}`);
  const library: LibraryFile = { digest, documents, renamed, reference };
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, 'documents.json'), JSON.stringify(library));
  writeReference(pages, firstCall(documents), folder);
  for (const [path, html] of renderedDocuments(documents)) {
    const file = join(folder, 'pages', `${path}.txt`);
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, html);
  }
  replaceFile(join(folder, 'legal.json'), JSON.stringify(readLegalDocuments()));
  replaceFile(join(folder, 'search.json'), JSON.stringify(indexPassages(passagesOf(documents))));
}

export function passagesOf(documents: readonly ContentDocument[]): Passage[] {
  return documents
    .flatMap(({ path, section, title, description, tags, markdown }) => {
      const other = otherWords(`${title} ${description} ${tags.join(' ')}`);
      const also = [tags.join(' '), description, other.join(' ')].filter(Boolean).join('\n');
      return splitPassages(markdown).map(({ heading, text }) => {
        const digest = digestOf(embeddedText({ title, heading, text }));
        return { path, section, title, heading, also, text, digest };
      });
    })
    .map((passage, id) => ({ id, ...passage }));
}

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

if (process.argv[1] === import.meta.filename) writeContentFiles();
