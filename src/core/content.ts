/** Defines the service's own documents, and their passages, which search returns. */

/** The sections in the order of the listing. */
export const SECTIONS = ['Blog', 'Tools', 'Tool docs', 'Comparisons', 'How-to'] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * The pages under /docs except /docs/tools. Search finds them, and callers can read them by path, but the content
 * endpoint does not list them.
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

/**
 * A document. Its text contains the placeholders `{base_url}` for the URL of the service and `{storage_url}` for the
 * base URL of stored files.
 */
export interface ContentDocument {
  /** The unique path, such as `/blog/<slug>`. */
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  description: string;
  tags: string[];
  /** The date as ISO 8601. */
  publishedAt: string;
  updatedAt: string;
  markdown: string;
}

/** A document without its body, as listings show it. */
export type ListedDocument = Omit<ContentDocument, 'markdown'>;

/** A part of a document, as search returns it. */
export interface Passage {
  /** The passage's position in the index. */
  id: number;
  path: string;
  section: Section | typeof UNLISTED;
  title: string;
  /**
   * The headings above the passage, outermost first, as in `Examples › Two files`. Empty at the start of a document.
   */
  heading: string;
  /** Other words for the document's topic. */
  also: string;
  text: string;
  /** A digest of the text that a model embeds. The text consists of the title, the heading and the passage. */
  digest: string;
}

/** The content of `documents.json`, which is deployed with the Worker. */
export interface LibraryFile {
  /** A digest that changes whenever a document changes. */
  digest: string;
  /** The documents in the order of the listing. */
  documents: ContentDocument[];
  /** The current path of each renamed document, by its earlier path. */
  renamed: Record<string, string>;
  /** The paths of the API reference. */
  reference: string[];
}
