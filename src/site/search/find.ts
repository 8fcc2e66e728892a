/**
 * Returns the results for the search page. Pages, tools, endpoints and documents whose names match come first. Passages
 * from the API's search follow, grouped by section.
 */
import type { Library } from '../../content/library.ts';
import { stemsOf } from '../../content/terms.ts';
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { headingId } from '../markdown.ts';
import { excerptOf } from './excerpt.ts';
import { type Named, namedBy } from './named.ts';
import { searchIndex } from './search-index.ts';

export interface Hit {
  title: string;
  /** The headings above the passage, outermost first. */
  heading: string;
  href: string;
  text: string;
}

export interface Found extends Pick<Named, 'pages' | 'note' | 'tools' | 'endpoints'> {
  status: number;
  /** The other results by section. */
  groups: { name: string; hits: Hit[] }[];
  /** Why the full text was not searched. */
  message?: string;
}

interface Passage {
  score: number;
  title: string;
  section: string;
  heading: string;
  path: string;
  text: string;
}

const TOP_K = 10;
/**
 * The minimum score of a listed passage, as a share of the best score. No expected answer in `tuning.txt` scores lower.
 */
const LEAST = 0.15;
/** The minimum score if the best passage contains every word of the query. */
const LEAST_AFTER_ANSWER = 0.35;
const ABOUT_TOOLS = 'About the tools';
const NAMES: Record<string, string> = {
  Tools: ABOUT_TOOLS,
  'Tool docs': ABOUT_TOOLS,
  'How-to': 'How-tos',
};
/** Matches queries about an error. Only such queries return sections about errors. */
const ABOUT_ERRORS = /error|fail|refus|reject|invalid|wrong|problem|\b[45]\d\d\b/i;

export async function find(app: App, c: AppContext, query: string): Promise<Found> {
  const library = await c.env.services.library();
  const index = await searchIndex(c, library);
  const { pages, note, tools, endpoints, documents } = namedBy(index, query);
  const answer = await callRest(app, c, '/api/v1/search', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, topK: TOP_K }),
  });
  const { passages = [], error } = (await answer.json()) as {
    passages?: Passage[];
    error?: string;
  };
  const stems = [...new Set(stemsOf(query))];
  const [best] = passages;
  const least = best ? best.score * (hasAll(best, stems) ? LEAST_AFTER_ANSWER : LEAST) : 0;
  const shown = passages.filter(
    (passage) =>
      passage.score >= least &&
      // If no tool supports the task, passages that contain only some of the query's words are about other tasks.
      (!note || hasAll(passage, stems)) &&
      (!/\bErrors$/.test(passage.heading) || ABOUT_ERRORS.test(query)),
  );
  const groups = groupsOf(new Set([...pages, ...tools].map(({ href }) => href)), [
    ...shown.map((passage): [string, Hit] => [passage.section, hitOf(passage, stems, library)]),
    ...documents.map((entry): [string, Hit] => [entry.section, { ...entry, heading: '' }]),
  ]);
  const found = { pages, note, tools, endpoints, groups };
  return { status: answer.status, ...found, ...(error && { message: error }) };
}

function hasAll({ title, heading, text }: Passage, stems: readonly string[]): boolean {
  const own = new Set(stemsOf(`${title} ${heading} ${text}`));
  return stems.every((stem) => own.has(stem));
}

/**
 * Groups the results by section. The section about tools comes first, and the others follow in the order of their best
 * hits. Each page occurs once, with its best hit. Pages in `listed` are omitted because they are shown above.
 */
function groupsOf(
  listed: ReadonlySet<string>,
  found: readonly (readonly [section: string, hit: Hit])[],
): Found['groups'] {
  const shown = new Set(listed);
  const groups = new Map<string, Hit[]>([[ABOUT_TOOLS, []]]);
  for (const [section, hit] of found) {
    const [page] = hit.href.split('#') as [string];
    if (shown.has(page)) continue;
    shown.add(page);
    const name = NAMES[section] ?? section;
    groups.set(name, [...(groups.get(name) ?? []), hit]);
  }
  return [...groups].flatMap(([name, hits]) => (hits.length > 0 ? { name, hits } : []));
}

function hitOf(
  { title, heading, path, text }: Passage,
  stems: readonly string[],
  library: Library,
): Hit {
  const last = heading.split(' › ').at(-1) ?? '';
  const name = /^\/docs\/tools\/(\w+)$/.exec(path)?.[1];
  // The document of a tool is part of the tool's page.
  const isTool = name !== undefined && findTool(name) !== undefined;
  const location = last ? `${isTool ? 'doc-' : ''}${headingId(last)}` : isTool ? 'about' : '';
  return {
    title,
    heading,
    href: `${isTool ? `/tools/${name}` : path}${location && `#${location}`}`,
    text:
      excerptOf(text.replace(/^<DATA>|<\/DATA>$/g, ''), stems) ||
      (library.find(path)?.description ?? ''),
  };
}
