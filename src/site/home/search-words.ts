/** The words by which the home page's search finds a tool: those of its definition and its document, and everyday words for them. */
import { parametersSchema } from '../../catalogue/json-schema.ts';
import { STOP, wordsOf } from '../../content/terms.ts';
import { allWords } from '../../content/thesaurus.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { ToolListing } from '../tool/documents.ts';

export function searchWords(tool: Tool, { summary, tags }: ToolListing, kind: string): string {
  const { name, title, description } = tool;
  const about = `${title} ${summary} ${tags.join(' ')}`;
  const choices = Object.values(parametersSchema(tool).properties ?? {}).flatMap(
    (schema) => (schema.enum ?? []) as string[],
  );
  const all = [name, about, kind, description, ...choices, ...allWords(about)].join(' ');
  return [...new Set(wordsOf(all).filter((word) => !STOP.has(word)))].join(' ');
}
