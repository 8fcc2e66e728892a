/**
 * Builds the index of names for the search. It contains every tool, every endpoint of the API, every document that is
 * not about a tool, and the sections of the pages of /docs.
 */
import { parametersSchema } from '../../catalogue/json-schema.ts';
import { mostUsed } from '../../catalogue/kinds.ts';
import type { Library } from '../../content/library.ts';
import { allWords } from '../../content/thesaurus.ts';
import { type ContentDocument, UNLISTED } from '../../core/content.ts';
import { KINDS, type Tool } from '../../core/define-tool.ts';
import type { ReferenceIndex } from '../../core/reference.ts';
import type { AppContext } from '../../http.ts';
import { TOOLS } from '../../tools/registry.ts';
import { ICONS } from '../assets.ts';
import { readReference } from '../docs/read-reference.ts';
import { headingId } from '../markdown.ts';
import { type ToolListing, toolListings } from '../tool/documents.ts';
import { endpointEntries } from './endpoints.ts';
import { type DocumentEntry, indexedWords, type SearchIndex, type ToolEntry } from './ranking.ts';

const OF_TOOLS = /^\/(?:docs\/)?tools\//;

let known: { digest: string; index: SearchIndex } | undefined;

export async function searchIndex(c: AppContext, library: Library): Promise<SearchIndex> {
  if (known?.digest !== library.digest) {
    const reference = await readReference<ReferenceIndex>(c, 'reference.json');
    known = { digest: library.digest, index: build(library, reference) };
  }
  return known.index;
}

function build(library: Library, reference: ReferenceIndex): SearchIndex {
  const listings = toolListings(library);
  const documents = library.whole().filter(({ path }) => !OF_TOOLS.test(path));
  return {
    tools: [...new Set([...mostUsed(), ...TOOLS])].map((tool) =>
      toolEntry(tool, listings.get(tool.name)!),
    ),
    documents: documents.flatMap((document) => [documentEntry(document), ...partEntries(document)]),
    endpoints: endpointEntries(reference),
  };
}

const documentEntry = ({ path, title, description, tags, section }: ContentDocument) => ({
  title,
  href: path,
  text: description,
  section,
  words: [indexedWords(`${title} ${tags.join(' ')}`)],
});

/** Returns an entry for each second-level heading on a page of /docs. */
function partEntries({ path, title, section, markdown }: ContentDocument): DocumentEntry[] {
  if (section !== UNLISTED) return [];
  return [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => ({
    title: heading,
    href: `${path}#${headingId(heading)}`,
    text: title,
    section,
    words: [indexedWords(heading)],
  }));
}

export function toolEntry(tool: Tool, { summary, tags }: ToolListing): ToolEntry {
  const { name, title, shortName, kind, icon, description, synonyms = [] } = tool;
  const choices = Object.values(parametersSchema(tool).properties ?? {}).flatMap(
    (schema) => (schema.enum ?? []) as string[],
  );
  const about = `${title} ${summary} ${tags.join(' ')}`;
  return {
    title,
    href: `/tools/${name}`,
    text: summary,
    kind,
    icon: ICONS[icon] ?? '',
    words: [
      indexedWords(`${name.replaceAll('_', ' ')} ${title} ${shortName}`),
      indexedWords(synonyms.join(' ')),
      indexedWords([about, KINDS[kind], description, ...choices, ...allWords(about)].join(' ')),
    ],
  };
}
