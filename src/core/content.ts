/** What the service writes about itself: documents, and the passages that search finds in them. */

/** In the order in which they are listed. */
export const SECTIONS = ['Blog', 'Tools', 'Tool docs', 'Comparisons', 'How-to'] as const;
export type Section = (typeof SECTIONS)[number];

/** The pages of /docs: found by search and read by path; the content, which has its five sections, lists them not. */
export const UNLISTED = 'Docs';

/** Where the documents of a section are. */
export const PLACES: Record<Section | typeof UNLISTED, string> = {
  Blog: '/blog',
  Tools: '/tools',
  'Tool docs': '/docs/tools',
  Comparisons: '/compare',
  'How-to': '/how-to',
  [UNLISTED]: '/docs',
};

/** Where a document's own address is written as `{base_url}` and that of stored files as `{storage_url}`. */
export interface ContentDocument {
  /** `/blog/<slug>`; unique. */
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  description: string;
  tags: string[];
  /** ISO 8601. */
  publishedAt: string;
  updatedAt: string;
  markdown: string;
}

/** A document as it is listed: without its body. */
export type ListedDocument = Omit<ContentDocument, 'markdown'>;

/** A part of a document, as search finds it. */
export interface FoundPassage {
  id: number;
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  description: string;
  /** The headings above it, outermost first: `Examples › Two files`; empty at the document's start. */
  heading: string;
  /** Other words for what it is about. */
  also: string;
  text: string;
}

/** The version of the content that answers now. */
export interface ContentState {
  version: number;
  /** Changes with every change of any document. */
  digest: string;
  /** How many passages there are. */
  passages: number;
  /** One latent vector a list, behind one another. */
  centroids: Int8Array;
}

/** Numbers of the passages of one version are below this, and so are those of its documents. */
export const VERSION_SPAN = 2 ** 24;

export const idOf = (version: number, number: number): number => version * VERSION_SPAN + number;

/** Removes every version but this one: SQL, and its values. */
export const removalOfOthers = (version: number): { sql: string; values: number[] }[] => [
  ...[
    ['documents', 'id'],
    ['passages', 'id'],
    ['passages_fts', 'rowid'],
  ].map(([table, id]) => ({
    sql: `DELETE FROM ${table} WHERE ${id} < ? OR ${id} >= ?`,
    values: [idOf(version, 0), idOf(version + 1, 0)],
  })),
  ...['content_terms', 'latent_lists'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE version <> ?`,
    values: [version],
  })),
];
