/** Holds the documents that were deployed with the Worker in memory. */
import {
  type ContentDocument,
  type LibraryFile,
  type ListedDocument,
  UNLISTED,
} from '../core/content.ts';

interface ListOptions {
  section?: ContentDocument['section'];
  /** The number of documents to skip. */
  from?: number;
  limit?: number;
}

export interface Listing {
  documents: ListedDocument[];
  /** The `from` value that lists the next documents, or null if there are no more. */
  next: number | null;
}

export class Library {
  /** A digest that changes whenever a document changes. */
  readonly digest: string;
  /** The paths of the API reference. */
  readonly reference: readonly string[];
  readonly #documents: readonly ContentDocument[];
  readonly #byPath: ReadonlyMap<string, ContentDocument>;
  readonly #renamed: ReadonlyMap<string, string>;

  constructor({ digest, documents, renamed, reference }: LibraryFile) {
    this.digest = digest;
    this.reference = reference;
    this.#documents = documents;
    this.#byPath = new Map(documents.map((document) => [document.path, document]));
    this.#renamed = new Map(Object.entries(renamed));
  }

  /** Finds a document by its current path or by one of its earlier paths. */
  find(path: string): ContentDocument | undefined {
    return this.#byPath.get(this.#renamed.get(path) ?? path);
  }

  /** Lists one section, or all documents except those of the section `UNLISTED`. */
  list({ section, from = 0, limit }: ListOptions = {}): Listing {
    const all = this.#documents.filter((document) =>
      section ? document.section === section : document.section !== UNLISTED,
    );
    const end = limit === undefined ? all.length : from + limit;
    return {
      documents: all.slice(from, end).map(({ markdown: _, ...listed }) => listed),
      next: end < all.length ? end : null,
    };
  }

  /** Returns all documents with their text. The documents of the section `UNLISTED` come first. */
  whole(): ContentDocument[] {
    const isDocs = ({ section }: ContentDocument) => section === UNLISTED;
    return [
      ...this.#documents.filter(isDocs),
      ...this.#documents.filter((document) => !isDocs(document)),
    ];
  }
}
