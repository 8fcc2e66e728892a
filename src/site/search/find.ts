/**
 * Returns the results for the search page. Pages, tools, endpoints and documents whose names match come first. Passages
 * from the search of the full text follow, grouped by section.
 */
import { forPeople } from '../../access/advice.ts';
import { searchRequest } from '../../catalogue/request-bodies.ts';
import { findPassages } from '../../content/find-passages.ts';
import type { Library } from '../../content/library.ts';
import type { Match } from '../../content/passage-index.ts';
import { stemsOf } from '../../content/terms.ts';
import type { Passage } from '../../core/content.ts';
import { badRequest } from '../../core/errors.ts';
import type { AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
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
  /** The other results by section. */
  groups: { name: string; hits: Hit[] }[];
  /** Why the full text was not searched, if it was not. */
  refusal?: { status: number; message: string; retryAfter: number | undefined };
}

const TOP_K = 10;
/** The maximum length of a query, as in the API. Names are searched before the call is admitted. */
const MAX_CHARACTERS = 500;
/**
 * The minimum score of a listed passage, as a share of the best score. No expected answer in
 * test/search/tuning.txt scores lower.
 */
const MIN_SCORE = 0.15;
/** The minimum score if the best passage contains every word of the query. */
const MIN_AFTER_ANSWER = 0.35;
const ABOUT_TOOLS = 'About the tools';
const NAMES: Record<string, string> = {
  Tools: ABOUT_TOOLS,
  'Tool docs': ABOUT_TOOLS,
  'How-to': 'How-tos',
};
/** The stems of words that occur in the names of many tools, so that they do not identify a tool. */
const GENERAL: ReadonlySet<string> = new Set(
  stemsOf('convert document file image page pdf photo picture text video'),
);
/** Matches queries about an error. Only such queries return sections about errors. */
const ABOUT_ERRORS = /error|fail|refus|reject|invalid|wrong|problem|\b[45]\d\d\b/i;

export async function find(c: AppContext, query: string): Promise<Found> {
  const library = await c.env.services.library();
  const index = await searchIndex(c, library);
  const { pages, note, tools, endpoints, documents } = namedBy(
    index,
    query.slice(0, MAX_CHARACTERS),
  );
  const { passages, refusal } = await searchTexts(c, query);
  const stems = [...new Set(stemsOf(query))];
  const [best] = passages;
  const least = best
    ? best.score * (hasAll(best.passage, stems) ? MIN_AFTER_ANSWER : MIN_SCORE)
    : 0;
  /** The words of the query that a passage about a tool must name, if a page or a note already answers the query. */
  const specific = note ? stems.filter((stem) => !GENERAL.has(stem)) : stems;
  const isAnswered = note !== undefined || pages.length > 0;
  const shown = passages
    .filter(({ score }) => score >= least)
    .map(({ passage }) => passage)
    .filter(
      (passage) =>
        // If no tool supports the task, passages that contain only some of the query's words are about other tasks.
        (!note || hasAll(passage, stems)) &&
        (!isAnswered || NAMES[passage.section] !== ABOUT_TOOLS || isHeadedBy(passage, specific)) &&
        (!/\bErrors$/.test(passage.heading) || ABOUT_ERRORS.test(query)),
    );
  const groups = groupsOf(new Set([...pages, ...tools].map(({ href }) => href)), [
    ...shown.map((passage): [string, Hit] => [passage.section, hitOf(passage, stems, library)]),
    ...documents.map((entry): [string, Hit] => [entry.section, { ...entry, heading: '' }]),
  ]);
  return { pages, note, tools, endpoints, groups, ...(refusal && { refusal }) };
}

/** Searches the full text within the page's limit. */
async function searchTexts(
  c: AppContext,
  query: string,
): Promise<{ passages: Match[]; refusal?: Found['refusal'] }> {
  try {
    const admission = await c.env.startAdmission('siteSearch');
    await admission.chargeGeneral();
    const { data, error } = searchRequest.safeParse({ query, topK: TOP_K });
    if (!data) throw badRequest(error.issues[0]!.message, 'q');
    return await findPassages(c.env.services, data, c.env.callerSignal());
  } catch (error) {
    const { status, message, retryAfter } = c.env.fail(error);
    return { passages: [], refusal: { status, message: forPeople(message), retryAfter } };
  }
}

function hasAll({ title, heading, text }: Passage, stems: readonly string[]): boolean {
  const own = new Set(stemsOf(`${title} ${heading} ${text}`));
  return stems.every((stem) => own.has(stem));
}

/**
 * Whether the title and the heading of a passage contain two of the words, or the only one. A single word of several,
 * such as `key` of `api key`, also occurs in headings about other topics.
 */
function isHeadedBy({ title, heading }: Passage, stems: readonly string[]): boolean {
  const own = new Set(stemsOf(`${title} ${heading}`));
  return stems.filter((stem) => own.has(stem)).length >= Math.min(2, stems.length);
}

/** Returns the name of the tool whose document contains the passage, or undefined for other documents. */
function toolOf({ path }: Passage): string | undefined {
  const name = /^\/docs\/tools\/(\w+)$/.exec(path)?.[1];
  return name !== undefined && findTool(name) ? name : undefined;
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

function hitOf(passage: Passage, stems: readonly string[], library: Library): Hit {
  const { title, heading, path, text } = passage;
  const last = heading.split(' › ').at(-1) ?? '';
  // The document of a tool is part of the tool's page.
  const name = toolOf(passage);
  const location = last ? `${name ? 'doc-' : ''}${headingId(last)}` : name ? 'about' : '';
  return {
    title,
    heading,
    href: `${name ? `/tools/${name}` : path}${location && `#${location}`}`,
    text: excerptOf(text, stems) || (library.find(path)?.description ?? ''),
  };
}
