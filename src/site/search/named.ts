/** Finds the tools and documents that a query names, best first, as the search lists them. */
import { notHere } from './not-here.ts';
import { type DocumentEntry, ranked, type SearchIndex, type ToolEntry } from './ranking.ts';

export interface Named {
  /** A sentence about the task, if no tool does it. */
  note: string | undefined;
  tools: ToolEntry[];
  documents: DocumentEntry[];
}

const MOST_TOOLS = 6;
const MOST_DOCUMENTS = 8;
/** If there is a note, only tools that have the words in their name or synonyms are listed. */
const CLOSE = 2;

export function namedBy({ tools, documents }: SearchIndex, query: string): Named {
  const note = notHere(query);
  return {
    note,
    tools: ranked(tools, query, note ? CLOSE : 0).slice(0, MOST_TOOLS),
    documents: ranked(documents, query).slice(0, MOST_DOCUMENTS),
  };
}
