/** Reads the tools' documents, for their pages and for lists of tools. */
import type { Library } from '../../content/library.ts';
import { SECTION_PATHS } from '../../core/content.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { AppContext } from '../../http.ts';
import { documentHtml } from '../content/document-html.ts';

export interface ToolDocument {
  /** One sentence about the purpose of the tool. */
  summary: string;
  /** The HTML of the section that describes the page. Empty if the document has no such section. */
  guide: string;
  /** The HTML of all other sections, which are the reference for developers. */
  reference: string;
  /** The how-tos that link to the page of the tool. */
  howTos: readonly Link[];
}

interface Link {
  path: string;
  title: string;
}

const PREFIX = `${SECTION_PATHS['Tool docs']}/`;

export async function toolDocument(c: AppContext, { name }: Tool): Promise<ToolDocument> {
  const library = await c.env.services.library();
  const path = PREFIX + name;
  return {
    summary: library.find(path)!.description,
    ...splitDocument(await documentHtml(c, path)),
    howTos: howTosWith(library, name),
  };
}

const GUIDE = '<h3 id="doc-how-to-use-it">How to use it</h3>';

/** Splits a document into the section about the tool's page and the rest. */
export function splitDocument(html: string): Pick<ToolDocument, 'guide' | 'reference'> {
  const start = html.indexOf(GUIDE);
  if (start < 0) return { guide: '', reference: html };
  const end = html.indexOf('<h3', start + GUIDE.length);
  return {
    guide: html.slice(start + GUIDE.length, end),
    reference: html.slice(0, start) + html.slice(end),
  };
}

/** Returns the how-tos that link to the page of a tool. */
const howTosWith = (library: Library, name: string): Link[] =>
  library
    .list({ section: 'How-to' })
    .documents.filter(({ path }) => library.find(path)!.markdown.includes(`](/tools/${name})`))
    .map(({ path, title }) => ({ path, title }));

/** The part of a document that appears in lists of tools. */
export interface ToolListing {
  summary: string;
  tags: readonly string[];
}

/** Returns the summaries and tags of the tools, by name. */
export function toolListings(library: Library): ReadonlyMap<string, ToolListing> {
  const { documents } = library.list({ section: 'Tool docs' });
  return new Map(
    documents.map(({ path, description, tags }) => [
      path.slice(PREFIX.length),
      { summary: description, tags },
    ]),
  );
}
