/** Finds the pages, tools and documents that a query names. The best matches come first. */
import { type Note, notHere } from './not-here.ts';
import {
  type DocumentEntry,
  type Entry,
  nearest,
  ranked,
  type SearchIndex,
  type ToolEntry,
} from './ranking.ts';
import { servicePages } from './service-pages.ts';

export interface Named {
  /** The pages about the service that answer the query. They are listed first. */
  pages: Omit<Entry, 'words'>[];
  /** A note about the query's task, if no tool does it. */
  note: Note | undefined;
  tools: ToolEntry[];
  documents: DocumentEntry[];
}

const MOST_TOOLS = 6;
const MOST_DOCUMENTS = 8;
/** The minimum score of tools that are listed beside a note. Only words in the name or in the synonyms reach it. */
const CLOSE = 2;

export function namedBy({ tools, documents }: SearchIndex, query: string): Named {
  const note = notHere(query);
  const pages = servicePages(query);
  const exact = ranked(tools, query, note ? CLOSE : 0);
  const isAnswered = exact.length > 0 || note || pages.length > 0;
  return {
    pages,
    note,
    tools: (isAnswered ? exact : nearest(tools, query)).slice(0, MOST_TOOLS),
    documents: ranked(documents, query).slice(0, MOST_DOCUMENTS),
  };
}
