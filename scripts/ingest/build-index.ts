/** From documents to the rows of one version of the content: passages, full text, latent space, inverted lists. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { divide } from '../../src/content/inverted-lists.ts';
import { learn, place } from '../../src/content/latent.ts';
import { alsoOf, countsOf } from '../../src/content/passage-terms.ts';
import { splitPassages } from '../../src/content/split-passages.ts';
import { type ContentDocument, idOf } from '../../src/core/content.ts';
import { largest, quantise } from '../../src/lib/vectors.ts';
import { insertRows, type Statement } from './insert-rows.ts';

const DIMENSIONS = 48;
/** Passages in a row of inverted lists, at most: it must fit a statement. */
const LONGEST_LIST = 1000;

/** What makes the index: where it changes, documents that stayed the same are indexed anew. */
const MAKERS = [
  import.meta.filename,
  ...[
    'inverted-lists',
    'latent',
    'passage-terms',
    'porter',
    'split-passages',
    'terms',
    'thesaurus',
  ].map((name) => join(import.meta.dirname, `../../src/content/${name}.ts`)),
];

/** Names a state of all documents, and of what makes their index. */
export const digestOf = (documents: readonly ContentDocument[]): string =>
  createHash('sha256')
    .update(JSON.stringify([documents, MAKERS.map((file) => readFileSync(file, 'utf8'))]))
    .digest('hex')
    .slice(0, 32);

interface Entry {
  id: number;
  documentId: number;
  title: string;
  heading: string;
  also: string;
  text: string;
}

/** Everything to insert for this version, then what makes it the one that answers. */
export function* versionStatements(
  documents: readonly ContentDocument[],
  version: number,
  now: number,
): Generator<Statement> {
  const entries = entriesOf(documents, version);
  yield* insertRows(
    'documents',
    [
      'id',
      'path',
      'section',
      'title',
      'description',
      'tags',
      'published_at',
      'updated_at',
      'markdown',
    ],
    documents.map((document, number) => [
      idOf(version, number),
      document.path,
      document.section,
      document.title,
      document.description,
      JSON.stringify(document.tags),
      document.publishedAt,
      document.updatedAt,
      document.markdown,
    ]),
  );
  yield* insertRows(
    'passages',
    ['id', 'document_id', 'digest', 'heading', 'also', 'text'],
    entries.map((entry) => [
      entry.id,
      entry.documentId,
      embeddedDigest(entry),
      entry.heading,
      entry.also,
      entry.text,
    ]),
  );
  yield* insertRows(
    'passages_fts',
    ['rowid', 'title', 'heading', 'text', 'also'],
    entries.map(({ id, title, heading, text, also }) => [id, title, heading, text, also]),
  );
  const centroids = yield* latentStatements(entries, version);
  yield {
    sql: `INSERT INTO content_state (id, version, digest, passages, centroids, ingested_at) VALUES (1, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, digest = excluded.digest,
      passages = excluded.passages, centroids = excluded.centroids, ingested_at = excluded.ingested_at`,
    values: [version, digestOf(documents), entries.length, centroids, now],
  };
}

function entriesOf(documents: readonly ContentDocument[], version: number): Entry[] {
  const parts = documents.flatMap((document, number) => {
    const also = alsoOf(document);
    return splitPassages(document.markdown).map((passage) => ({
      documentId: idOf(version, number),
      title: document.title,
      also,
      ...passage,
    }));
  });
  return parts.map((part, number) => ({ id: idOf(version, number), ...part }));
}

/** Of what is embedded: a model's vector of it stays good as long as this does. */
const embeddedDigest = ({ title, heading, text }: Entry): string =>
  createHash('sha256').update(`${title}\0${heading}\0${text}`).digest('hex').slice(0, 32);

/** The terms and the lists. Gives the centroids. */
function* latentStatements(
  entries: readonly Entry[],
  version: number,
): Generator<Statement, string> {
  const counts = entries.map((entry) => countsOf(entry.title, entry.also, entry));
  const space = learn(counts, DIMENSIONS);
  yield* insertRows(
    'content_terms',
    ['version', 'term', 'passages', 'scale', 'vector'],
    [...space.terms].map(([term, { passages, vector }]) => [
      version,
      term,
      passages,
      largest(vector),
      toText(quantise(vector)),
    ]),
  );
  const placed = counts.map((each) => quantise(place(each, space)));
  const divided = divide(placed);
  // One that grew too long is several with the same middle.
  const parts = divided.lists.flatMap((members, list) =>
    Array.from({ length: Math.max(1, Math.ceil(members.length / LONGEST_LIST)) }, (_, part) => ({
      centroid: divided.centroids[list]!,
      members: members.slice(part * LONGEST_LIST, (part + 1) * LONGEST_LIST),
    })),
  );
  yield* insertRows(
    'latent_lists',
    ['version', 'list', 'passage_numbers', 'vectors'],
    parts.map(({ members }, list) => [
      version,
      list,
      JSON.stringify(members),
      toText(joined(members.map((member) => placed[member]!))),
    ]),
  );
  return toText(joined(parts.map(({ centroid }) => centroid)));
}

function joined(vectors: readonly Int8Array[]): Int8Array {
  const size = vectors[0]?.length ?? 0;
  const result = new Int8Array(vectors.length * size);
  for (const [index, vector] of vectors.entries()) result.set(vector, index * size);
  return result;
}

const toText = (bytes: Int8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
