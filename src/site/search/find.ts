/** The search page's results: passages from the API's search, grouped by section. */
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { headingId } from '../markdown.ts';

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
  // The section of the best passage comes first.
  const groups = [...sections].map(([section, hits]) => ({
    name: NAMES[section] ?? section,
    hits,
  }));
  return { status: 200, groups };
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
