/**
 * Finds the results of the search page: tools and documents by name, then passages from the API's search by section.
 */
import type { Library } from '../../content/library.ts';
import { STOP, wordsOf } from '../../content/terms.ts';
import { KINDS } from '../../core/define-tool.ts';
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { TOOLS } from '../../tools/registry.ts';
import { callRest } from '../call-rest.ts';
import { searchWords } from '../home/search-words.ts';
import { headingId } from '../markdown.ts';
import { toolListings } from '../tool/documents.ts';

export interface Hit {
  title: string;
  /** The headings above the passage, outermost first. */
  heading: string;
  href: string;
  text: string;
}

/** A hit with its section. */
type Listed = [section: string, hit: Hit];

export interface Found {
  status: number;
  groups: { name: string; hits: Hit[] }[];
  /** Why there are no results. */
  message?: string;
}

interface Passage {
  title: string;
  section: string;
  heading: string;
  path: string;
  text: string;
}

const TOP_K = 10;
const NAMES: Record<string, string> = {
  'Tool docs': 'Tools’ documents',
  'How-to': 'How-tos',
};

export async function find(app: App, c: AppContext, query: string): Promise<Found> {
  const answer = await callRest(app, c, '/api/v1/search', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, topK: TOP_K }),
  });
  const { passages = [], error } = (await answer.json()) as {
    passages?: Passage[];
    error?: string;
  };
  if (error !== undefined) return { status: answer.status, groups: [], message: error };
  const library = await c.env.services.library();
  const found = passages.map((passage): Listed => [passage.section, hitOf(passage)]);
  const groups = groupsOf(findTools(library, query), [...found, ...findDocuments(library, query)]);
  return { status: 200, groups };
}

/** Finds tools and documents by name while the visitor types. Not counted as a search. */
export async function findNamed(c: AppContext, query: string): Promise<Found> {
  const library = await c.env.services.library();
  const groups = groupsOf(findTools(library, query), findDocuments(library, query));
  return { status: 200, groups };
}

/** The tools first, then the sections in the order of their best hits. */
function groupsOf(tools: Hit[], listed: readonly Listed[]): Found['groups'] {
  const groups = new Map([[tools.length === 1 ? 'Tool' : 'Tools', tools]]);
  for (const [section, hit] of listed) {
    const name = NAMES[section] ?? section;
    const hits = groups.get(name) ?? [];
    const isShown =
      tools.some(({ href }) => href === hit.href) ||
      (hit.heading === '' && hits.some(({ title }) => title === hit.title));
    if (!isShown) groups.set(name, [...hits, hit]);
  }
  return [...groups].map(([name, hits]) => ({ name, hits })).filter(({ hits }) => hits.length > 0);
}

const MOST_TOOLS = 4;
const MOST_DOCUMENTS = 8;

const meaningIn = (query: string) => wordsOf(query).filter((word) => !STOP.has(word));

/** Counts the words that are a prefix of a word in `text`. */
const countIn = (text: string, words: readonly string[]) =>
  words.filter((word) => ` ${text}`.includes(` ${word}`)).length;

/** Returns the documents whose title and topics contain a word with each word of the query as its prefix. */
function findDocuments(library: Library, query: string): Listed[] {
  const words = meaningIn(query);
  if (words.length === 0) return [];
  const all = library.whole().flatMap(({ path, title, description, tags, section }): Listed[] => {
    const named = wordsOf(`${title} ${tags.join(' ')}`).join(' ');
    const isFound = section !== 'Tool docs' && countIn(named, words) === words.length;
    return isFound ? [[section, { title, heading: '', href: path, text: description }]] : [];
  });
  return all.slice(0, MOST_DOCUMENTS);
}

/** Returns the tools whose search words match each word of the query by prefix; matches in the title come first. */
function findTools(library: Library, query: string): Hit[] {
  const words = meaningIn(query);
  if (words.length === 0) return [];
  const listings = toolListings(library);
  return TOOLS.flatMap((tool) => {
    const listing = listings.get(tool.name)!;
    const isNamed = countIn(searchWords(tool, listing, KINDS[tool.kind]), words) === words.length;
    const inTitle = countIn(`${tool.title} ${tool.name.replaceAll('_', ' ')}`.toLowerCase(), words);
    return isNamed ? [{ tool, listing, inTitle }] : [];
  })
    .sort((one, other) => other.inTitle - one.inTitle)
    .slice(0, MOST_TOOLS)
    .map(({ tool: { title, name }, listing }) => ({
      ...{ title, heading: '', href: `/tools/${name}`, text: listing.summary },
    }));
}

function hitOf({ title, heading, path, text }: Passage): Hit {
  const last = heading.split(' › ').at(-1) ?? '';
  const name = /^\/docs\/tools\/(\w+)$/.exec(path)?.[1];
  // A tool's document is part of the tool's page.
  const isTool = name !== undefined && findTool(name) !== undefined;
  const location = last ? `${isTool ? 'doc-' : ''}${headingId(last)}` : isTool ? 'about' : '';
  return {
    title,
    heading,
    href: `${isTool ? `/tools/${name}` : path}${location && `#${location}`}`,
    text: plain(text.replace(/^<DATA>|<\/DATA>$/g, '')),
  };
}

const MOST_CHARACTERS = 220;

/** Converts Markdown to a single line of text: its sentences, or its code if there are none. */
function plain(markdown: string): string {
  const sentences = markdown.replace(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, ' ');
  const text = (/\p{L}/u.test(sentences) ? sentences : markdown)
    .replace(/^```.*$/gm, ' ')
    .replace(/^[ |:-]{3,}$/gm, ' ')
    .replace(/^\|.*\|$/gm, rowText)
    .replace(/^ *(?:[-*]|\d+\.) /gm, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*|]|^#+ |^> /gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MOST_CHARACTERS))} …`;
}

/** The cells of a table row, without empty ones. */
const rowText = (row: string): string =>
  `${row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')};`;
