/** What the search page shows: passages from the API's search, and places in the pages of /docs, which it does not have. */
import { SECTIONS } from '../../core/content.ts';
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/registry.ts';
import { atDoor } from '../at-door.ts';
import { DOCUMENTS } from '../docs/documents.ts';
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
  /** Why there is nothing. */
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
const MOST_PLACES = 3;
const NAMES: Record<string, string> = {
  'Tool docs': 'Tools’ documents',
  'How-to': 'How-tos',
};

export async function find(app: App, c: AppContext, query: string): Promise<Found> {
  const answer = await atDoor(app, c, '/api/v1/search', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, topK: TOP_K }),
  });
  const { passages = [], error } = (await answer.json()) as {
    passages?: Passage[];
    error?: string;
  };
  if (error !== undefined) return { status: answer.status, groups: [], message: error };
  const sections = new Map<string, Hit[]>([['Docs', placesInDocs(query)]]);
  for (const passage of passages) {
    const { section } = passage;
    sections.set(section, [...(sections.get(section) ?? []), hitOf(passage)]);
  }
  // The section of the best passage first.
  const order = [...new Set([...passages.map(({ section }) => section), 'Docs', ...SECTIONS])];
  const groups = order.flatMap((section) => {
    const hits = sections.get(section) ?? [];
    return hits.length > 0 ? [{ name: NAMES[section] ?? section, hits }] : [];
  });
  return { status: 200, groups };
}

function hitOf({ title, heading, path, text }: Passage): Hit {
  const last = heading.split(' › ').at(-1) ?? '';
  const name = /^\/docs\/tools\/(\w+)$/.exec(path)?.[1];
  // A tool's document stands on the tool's page.
  const isTool = name !== undefined && findTool(name) !== undefined;
  const place = last ? `${isTool ? 'doc-' : ''}${headingId(last)}` : isTool ? 'about' : '';
  return {
    title,
    heading,
    href: `${isTool ? `/tools/${name}` : path}${place && `#${place}`}`,
    text: plain(text.replace(/^<DATA>|<\/DATA>$/g, '')),
  };
}

/** Sections of /docs that have all the words. */
function placesInDocs(query: string): Hit[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  if (words.length === 0) return [];
  const places = DOCUMENTS.flatMap(({ path, title, summary, markdown }) => {
    const [start = '', ...parts] = markdown.split(/^## /m);
    return [
      { title, heading: '', href: path, text: `${summary} ${start}` },
      ...parts.map((part) => {
        const [heading = '', ...rest] = part.split('\n');
        return { title, heading, href: `${path}#${headingId(heading)}`, text: rest.join('\n') };
      }),
    ];
  });
  return places
    .filter((place) => {
      const text = `${place.title} ${place.heading} ${place.text}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .slice(0, MOST_PLACES)
    .map((place) => ({ ...place, text: plain(place.text) }));
}

const MOST_CHARACTERS = 220;

/** Markdown as one line of text: its sentences, its code only where there is nothing else. */
function plain(markdown: string): string {
  const sentences = markdown.replace(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, ' ');
  const text = (/\p{L}/u.test(sentences) ? sentences : markdown)
    .replace(/^```.*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^#+ |^> /gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MOST_CHARACTERS))} …`;
}
