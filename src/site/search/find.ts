/**
 * Finds the results of the search page. They are the tools and documents that the query names, and then passages from
 * the API's search by section.
 */
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { headingId } from '../markdown.ts';
import { type Named, namedBy } from './named.ts';
import { searchIndex } from './search-index.ts';

export interface Hit {
  title: string;
  /** The headings above the passage, outermost first. */
  heading: string;
  href: string;
  text: string;
}

export interface Found extends Pick<Named, 'note' | 'tools'> {
  status: number;
  /** The sections other than the tools. */
  groups: { name: string; hits: Hit[] }[];
  /** The reason why the texts were not searched. */
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
  'Tool docs': 'About the tools',
  'How-to': 'How-tos',
};
/** Matches queries about an error. Only such queries find sections about errors. */
const ABOUT_ERRORS = /error|fail|refus|reject|invalid|wrong|problem|\b[45]\d\d\b/i;

export async function find(app: App, c: AppContext, query: string): Promise<Found> {
  const { note, tools, documents } = namedBy(searchIndex(await c.env.services.library()), query);
  const answer = await callRest(app, c, '/api/v1/search', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, topK: TOP_K }),
  });
  const { passages = [], error } = (await answer.json()) as {
    passages?: Passage[];
    error?: string;
  };
  const shown = passages.filter(
    ({ heading }) => !/\bErrors$/.test(heading) || ABOUT_ERRORS.test(query),
  );
  const groups = groupsOf(new Set(tools.map(({ href }) => href)), [
    ...shown.map((passage): [string, Hit] => [passage.section, hitOf(passage)]),
    ...documents.map((named): [string, Hit] => [named.section, { ...named, heading: '' }]),
  ]);
  return { status: answer.status, note, tools, groups, ...(error && { message: error }) };
}

/**
 * Returns the sections in the order of their best hits. Each document occurs once, and documents in `listed` are
 * omitted because they are shown above.
 */
function groupsOf(
  listed: ReadonlySet<string>,
  found: readonly (readonly [section: string, hit: Hit])[],
): Found['groups'] {
  const groups = new Map<string, Hit[]>();
  for (const [section, hit] of found) {
    const name = NAMES[section] ?? section;
    const hits = groups.get(name) ?? [];
    const isRepeated = hits.some(({ title }) => title === hit.title);
    if (!listed.has(hit.href) && !isRepeated) groups.set(name, [...hits, hit]);
  }
  return [...groups].map(([name, hits]) => ({ name, hits }));
}

function hitOf({ title, heading, path, text }: Passage): Hit {
  const last = heading.split(' › ').at(-1) ?? '';
  const name = /^\/docs\/tools\/(\w+)$/.exec(path)?.[1];
  // The document of a tool is part of the tool's page.
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

/** Converts Markdown to a single line of text. Uses the sentences, or the code if there are no sentences. */
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

/** Returns the text of a table row, without empty cells. */
const rowText = (row: string): string =>
  `${row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')};`;
