/** The search words of a tool on the home page: from its definition with its synonyms, its document and the thesaurus. */
import { parametersSchema } from '../../catalogue/json-schema.ts';
import { STOP, wordsOf } from '../../content/terms.ts';
import { allWords } from '../../content/thesaurus.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { ToolListing } from '../tool/documents.ts';

export function searchWords(tool: Tool, { summary, tags }: ToolListing, kind: string): string {
  const { name, title, description, synonyms = [] } = tool;
  const about = `${title} ${summary} ${tags.join(' ')}`;
  const choices = Object.values(parametersSchema(tool).properties ?? {}).flatMap(
    (schema) => (schema.enum ?? []) as string[],
  );
  const all = [name, about, kind, description, ...synonyms, ...choices, ...allWords(about)].join(
    ' ',
  );
  return [...new Set(wordsOf(all).filter((word) => !STOP.has(word)))].join(' ');
}
