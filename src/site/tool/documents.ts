/** The tools' own documents, as they were ingested, with this service's address in the examples. */
import { withAddresses } from '../../content/addresses.ts';
import { PLACES } from '../../core/content.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { AppContext } from '../../http.ts';
import { TOOLS } from '../../tools/registry.ts';

export interface ToolDocument {
  /** One sentence on what the tool is for. */
  summary: string;
  markdown: string;
}

const PREFIX = `${PLACES['Tool docs']}/`;

/** The document of a tool; before the first ingest only the description of its definition. */
export async function toolDocument(c: AppContext, tool: Tool): Promise<ToolDocument> {
  const { content, config } = c.env.services;
  const state = await content.state();
  const found = state && (await content.document(state.version, PREFIX + tool.name));
  if (!found) return { summary: tool.description, markdown: '' };
  return {
    summary: found.description,
    markdown: withAddresses(found.markdown, config),
  };
}

/** A tool in a list of tools. */
export interface ToolListing {
  summary: string;
  tags: readonly string[];
}

/** What each tool is for, by its name. */
export async function toolListings(c: AppContext): Promise<ReadonlyMap<string, ToolListing>> {
  const { content } = c.env.services;
  const listings = new Map<string, ToolListing>(
    TOOLS.map(({ name, description }) => [name, { summary: description, tags: [] }]),
  );
  const state = await content.state();
  if (!state) return listings;
  const { documents } = await content.list(state.version, { section: 'Tool docs' });
  for (const { path, description, tags } of documents) {
    listings.set(path.slice(PREFIX.length), { summary: description, tags });
  }
  return listings;
}

/** Changes when the documents do: what pages that show them are kept under. */
export async function documentsVersion(c: AppContext): Promise<number> {
  return (await c.env.services.content.state())?.version ?? 0;
}
