/** Reads the tools' documents, for their pages and for lists of tools. */
import type { Library } from '../../content/library.ts';
import { SECTION_PATHS } from '../../core/content.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { AppContext } from '../../http.ts';
import { documentHtml } from '../content/document-html.ts';

export interface ToolDocument {
  /** One sentence about the purpose of the tool. */
  summary: string;
  html: string;
}

const PREFIX = `${SECTION_PATHS['Tool docs']}/`;

export async function toolDocument(c: AppContext, { name }: Tool): Promise<ToolDocument> {
  const library = await c.env.services.library();
  const path = PREFIX + name;
  return { summary: library.find(path)!.description, html: await documentHtml(c, path) };
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
