/** The search page's results: tools and documents that the words name, then passages from the API's search by section. */
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
  const sections = new Map<string, Hit[]>();
  for (const passage of passages) {
    const { section } = passage;
    sections.set(section, [...(sections.get(section) ?? []), hitOf(passage)]);
  }
  const library = await c.env.services.library();
  for (const [section, hits] of findDocuments(library, query)) {
    const found = sections.get(section) ?? [];
    const isNew = ({ title }: Hit) => found.every((hit) => hit.title !== title);
    sections.set(section, [...found, ...hits.filter(isNew)]);
  }
  const tools = findTools(library, query);
  const named = new Set(tools.map(({ href }) => href));
  if (sections.has('Tools'))
    sections.set(
      'Tools',
      sections.get('Tools')!.filter(({ href }) => !named.has(href)),
    );
  // The section of the best passage comes first.
  return { status: 200, groups: groupsOf(tools, sections) };
}

/** What the words name, for someone who is still typing. It counts as no search. */
export async function findNamed(c: AppContext, query: string): Promise<Found> {
  const library = await c.env.services.library();
  const groups = groupsOf(findTools(library, query), findDocuments(library, query));
  return { status: 200, groups };
}

function groupsOf(tools: Hit[], sections: ReadonlyMap<string, Hit[]>): Found['groups'] {
  const others = [...sections].map(([section, hits]) => ({
    name: NAMES[section] ?? section,
    hits,
  }));
  const all = [{ name: tools.length === 1 ? 'Tool' : 'Tools', hits: tools }, ...others];
  return all.filter(({ hits }) => hits.length > 0);
}

const MOST_TOOLS = 4;

/** Counts how many words of the query begin a word of a text; undefined if it has none but stop words. */
function counterOf(query: string) {
  const words = wordsOf(query).filter((word) => !STOP.has(word));
  if (words.length === 0) return undefined;
  return {
    words,
    countIn: (text: string) => words.filter((word) => text.includes(` ${word}`)).length,
  };
}

const MOST_DOCUMENTS = 3;

/** By section: the documents in whose title and topics every word of the query begins one. */
function findDocuments(library: Library, query: string): Map<string, Hit[]> {
  const found = new Map<string, Hit[]>();
  const counter = counterOf(query);
  if (!counter) return found;
  for (const { path, title, description, tags, section } of library.whole()) {
    const hits = found.get(section) ?? [];
    const isLeftOut = section === 'Tool docs' || hits.length === MOST_DOCUMENTS;
    const named = ` ${wordsOf(`${title} ${tags.join(' ')}`).join(' ')}`;
    if (isLeftOut || counter.countIn(named) < counter.words.length) continue;
    found.set(section, [...hits, { title, heading: '', href: path, text: description }]);
  }
  return found;
}

/** The tools in whose words every word of the query begins one; those with the words in their title first. */
function findTools(library: Library, query: string): Hit[] {
  const counter = counterOf(query);
  if (!counter) return [];
  const { words, countIn } = counter;
  const listings = toolListings(library);
  return TOOLS.flatMap((tool) => {
    const listing = listings.get(tool.name)!;
    const isNamed = countIn(` ${searchWords(tool, listing, KINDS[tool.kind])}`) === words.length;
    const inTitle = countIn(` ${tool.title} ${tool.name.replaceAll('_', ' ')}`.toLowerCase());
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

/** Markdown as one line of text: its sentences, or its code if there is nothing else. */
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
