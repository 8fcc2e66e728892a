/** The tools' documents, with this service's address in the examples. */
import { withAddresses } from '../../content/addresses.ts';
import type { Library } from '../../content/library.ts';
import type { Config } from '../../core/config.ts';
import { SECTION_PATHS } from '../../core/content.ts';
import type { Tool } from '../../core/define-tool.ts';

export interface ToolDocument {
  /** One sentence about the purpose of the tool. */
  summary: string;
  markdown: string;
}

const PREFIX = `${SECTION_PATHS['Tool docs']}/`;

export function toolDocument(library: Library, { name }: Tool, config: Config): ToolDocument {
  const { description, markdown } = library.find(PREFIX + name)!;
  return { summary: description, markdown: withAddresses(markdown, config) };
}

/** A tool in a list of tools. */
export interface ToolListing {
  summary: string;
  tags: readonly string[];
}

/** A summary of each tool, by name. */
export function toolListings(library: Library): ReadonlyMap<string, ToolListing> {
  const { documents } = library.list({ section: 'Tool docs' });
  return new Map(
    documents.map(({ path, description, tags }) => [
      path.slice(PREFIX.length),
      { summary: description, tags },
    ]),
  );
}
