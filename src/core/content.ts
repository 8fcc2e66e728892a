/** What the service writes about itself: documents, and the passages that search finds in them. */

/** In the order in which they are listed. */
export const SECTIONS = ['Blog', 'Tools', 'Tool docs', 'Comparisons', 'How-to'] as const;
export type Section = (typeof SECTIONS)[number];

/** The pages of /docs: search finds them and they can be read by path, but the content endpoint does not list them. */
export const UNLISTED = 'Docs';

/** Where the documents of a section are. */
export const SECTION_PATHS: Record<Section | typeof UNLISTED, string> = {
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
export interface Passage {
  /** Its place in the index. */
  id: number;
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  /** The headings above it, outermost first: `Examples › Two files`; empty at the document's start. */
  heading: string;
  /** Other words for what its document is about. */
  also: string;
  text: string;
  /** The digest of what a model embeds: title, heading and text. */
  digest: string;
}

/** What is deployed beside the Worker as `documents.json`. */
export interface LibraryFile {
  /** Changes with every change of any document. */
  digest: string;
  /** In the order of the listing. */
  documents: ContentDocument[];
}
