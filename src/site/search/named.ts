/** Finds the pages, tools, endpoints and documents that a query names. The best matches come first. */
import {
  endpointsCalled,
  endpointsNamed,
  endpointsOf,
  endpointsWithField,
  isFieldName,
} from './endpoints.ts';
import { divided } from './joined-words.ts';
import { type Note, notHere } from './not-here.ts';
import {
  type DocumentEntry,
  type EndpointEntry,
  type Entry,
  isNamedBy,
  nearest,
  ranked,
  type SearchIndex,
  spelled,
  type ToolEntry,
} from './ranking.ts';
import { SERVICE_WORDS, servicePages } from './service-pages.ts';

export interface Named {
  /** The pages about the service that answer the query. They are listed first. */
  pages: Omit<Entry, 'words'>[];
  /** A note about the task in the query, if no tool supports it. */
  note: Note | undefined;
  tools: ToolEntry[];
  endpoints: EndpointEntry[];
  documents: DocumentEntry[];
  /** Whether the tools match only partially, or only by their descriptions. The first one may then be irrelevant. */
  isGuess: boolean;
}

const MAX_TOOLS = 6;
const MAX_DOCUMENTS = 8;
/**
 * The minimum score of endpoints, and of tools if a page or a note already answers the query. Without a match in the
 * name or the synonyms, an entry does not reach this score.
 */
const CLOSE = 2;

/** Matches queries about a tool's endpoint, such as "merge pdf api". */
const ABOUT_API = /\b(?:api|curl|endpoint|rest)\b/i;

/** Matches queries such as "delete my account". A tool that deletes something else is a wrong guess for them. */
const ABOUT_ACCOUNT = /\baccounts?\b/i;

const NOTHING: Named = {
  pages: [],
  note: undefined,
  tools: [],
  endpoints: [],
  documents: [],
  isGuess: false,
};

export function namedBy({ tools, documents, endpoints }: SearchIndex, typed: string): Named {
  const called = endpointsCalled(endpoints, typed);
  if (called.length > 0) return { ...NOTHING, endpoints: called };
  const everything = [...tools, ...documents, ...endpoints, SERVICE_WORDS];
  const corrected = spelled(typed, everything);
  const query = divided(corrected, everything);
  // A name such as `pagesize` consists of several words.
  if (isFieldName(typed) || (query.includes(' ') && !typed.trim().includes(' '))) {
    const having = endpointsWithField(endpoints, typed, true);
    if (having.length > 0) return { ...NOTHING, pages: servicePages(typed), endpoints: having };
  }
  const pages = servicePages(typed);
  if (pages.length === 0) pages.push(...servicePages(corrected));
  const note = pages.length > 0 ? undefined : notHere(query);
  const task = pages.length > 0 ? query : query.replace(ABOUT_API, '');
  const candidates = ranked(tools, task, note || pages.length > 0 ? CLOSE : 0);
  // The mean score of a tool can be high because of one word, such as PDF, although the tool does another task.
  const described = note ? candidates.filter((tool) => isNamedBy(tool, task)) : candidates;
  const isLast = described.length + pages.length === 0 && note === undefined;
  const having = endpointsWithField(endpoints, typed, isLast);
  const isNamed = ranked(tools, query, CLOSE).length > 0;
  const exact = isNamed ? described : [...new Set([...toolsOf(having, tools), ...described])];
  const isAnswered = exact.length + pages.length > 0 || note !== undefined;
  const named = new Set([
    ...endpointsNamed(endpoints, typed, isAnswered ? CLOSE : 0),
    ...(ABOUT_API.test(typed) ? endpointsOf(endpoints, exact) : []),
    ...having,
  ]);
  const mayGuess = !isAnswered && named.size === 0 && !ABOUT_ACCOUNT.test(query);
  const close = mayGuess ? nearest(tools, query) : undefined;
  return {
    pages,
    note,
    tools: (close?.entries ?? exact).slice(0, MAX_TOOLS),
    endpoints: [...named],
    documents: ranked(documents, query)
      .filter(({ href }) => pages.every((page) => page.href !== href))
      .slice(0, MAX_DOCUMENTS),
    isGuess: close
      ? close.entries.length > 0 && !close.hasEvery
      : pages.length === 0 && having.length === 0 && exact.length > 0 && !isNamed,
  };
}

/** Returns the tools that a query names or describes, best first, for a search that offers only tools. */
export function toolsFor(tools: readonly ToolEntry[], typed: string): ToolEntry[] {
  const query = divided(spelled(typed, tools), tools);
  const matching = ranked(tools, query);
  return matching.length > 0 ? matching : nearest(tools, query).entries;
}

const toolsOf = (endpoints: readonly EndpointEntry[], tools: readonly ToolEntry[]): ToolEntry[] =>
  tools.filter(({ href }) => endpoints.some(({ id }) => href.endsWith(`/${id}`)));
