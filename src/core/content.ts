/** The service's own documents, and the passages of them that search returns. */

/** The listed sections, in listing order. */
export const SECTIONS = ['Blog', 'Tools', 'Tool docs', 'Comparisons', 'How-to'] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * The pages under /docs. Search finds them and they can be read by path, but the content endpoint does not list them.
 */
export const UNLISTED = 'Docs';

/** The path prefix of each section. */
export const SECTION_PATHS: Record<Section | typeof UNLISTED, string> = {
  Blog: '/blog',
  Tools: '/tools',
  'Tool docs': '/docs/tools',
  Comparisons: '/compare',
  'How-to': '/how-to',
  [UNLISTED]: '/docs',
};

/** The text contains `{base_url}` for the service's address and `{storage_url}` for the address of stored files. */
export interface ContentDocument {
  /** `/blog/<slug>`; unique. */
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  description: string;
  tags: string[];
  /** An ISO 8601 date. */
  publishedAt: string;
  updatedAt: string;
  markdown: string;
}

/** A document without its body, for listings. */
export type ListedDocument = Omit<ContentDocument, 'markdown'>;

/** A part of a document, as search returns it. */
export interface Passage {
  /** The passage's position in the index. */
  id: number;
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  /** The headings above it, outermost first: `Examples › Two files`; empty at the start of a document. */
  heading: string;
  /** Other words for the document's topic. */
  also: string;
  text: string;
  /** A digest of the text that a model embeds: title, heading and text. */
  digest: string;
}

/** The `documents.json` that is deployed beside the Worker. */
export interface LibraryFile {
  /** Changes if any document changes. */
  digest: string;
  /** In listing order. */
  documents: ContentDocument[];
  /** The current path of each document that was renamed, by its earlier path. */
  renamed: Record<string, string>;
  /** The paths of the API reference. */
  reference: string[];
}
