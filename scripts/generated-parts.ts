/** The generated parts of hand-written documents: the text between `<!-- NAME -->` and `<!-- /NAME -->`. */
import { countsText, toolCounts } from '../src/catalogue/counts.ts';
import { toolsByKind } from '../src/catalogue/kinds.ts';
import { table } from './property-table.ts';

/** The documents with generated parts. */
export const DOCUMENTS = ['README.md', 'src/site/docs/start.md', 'src/site/docs/mcp.md'];

const toolTable = (): string =>
  table(
    ['Kind', 'Tools'],
    toolsByKind().map(([heading, tools]) => [
      heading,
      tools.map(({ name }) => `\`${name}\``).join(', '),
    ]),
  );

const PARTS: Record<string, () => string> = {
  'tool counts': countsText,
  'tools over MCP': () => String(toolCounts().mcp),
  'tools in the browser': () => String(toolCounts().browser),
  'tool table': () => `\n\n${toolTable()}\n\n`,
};

/** Returns the document with its parts regenerated. Throws if a part has no end, or if no part has its name. */
export function withGeneratedParts(path: string, markdown: string): string {
  return markdown.replace(
    /<!-- (?!\/)([^>]{1,80}) -->(?:([\s\S]*?)<!-- \/\1 -->)?/g,
    (_, name, content) => {
      const part = PARTS[name as string];
      if (!part || content === undefined) {
        const names = Object.keys(PARTS).join(', ');
        throw new Error(
          `${path}: <!-- ${name} --> is not a generated part (${names}) or has no end.`,
        );
      }
      return `<!-- ${name} -->${part()}<!-- /${name} -->`;
    },
  );
}
