/**
 * Generates the parts of documents that list or count the tools and their limits. The documents of the site contain only
 * the name of a part, as `<!-- NAME -->`, and the build inserts the part (scripts/content).
 */
import { QUOTAS } from '../src/access/api-keys.ts';
import { GENERAL_LIMITS, rateText } from '../src/access/general-limits.ts';
import { ownLimitText } from '../src/access/own-limits.ts';
import { countsText, toolCounts } from '../src/catalogue/counts.ts';
import { toolsByKind } from '../src/catalogue/kinds.ts';
import type { Tool } from '../src/core/define-tool.ts';
import { TOOLS } from '../src/tools/registry.ts';
import { table } from './property-table.ts';

const toolTable = (): string =>
  table(
    ['Kind', 'Tools'],
    toolsByKind().map(([heading, tools]) => [
      heading,
      tools.map(({ name }) => `\`${name}\``).join(', '),
    ]),
  );

function limitTable(): string {
  const limits = {
    Search: GENERAL_LIMITS.search,
    'Search on this site': GENERAL_LIMITS.siteSearch,
    'Running tools': GENERAL_LIMITS.execution,
    Catalogue: GENERAL_LIMITS.catalogue,
    MCP: GENERAL_LIMITS.mcp,
    Content: GENERAL_LIMITS.content,
  };
  const rows = Object.entries(limits).map(([name, { anonymous, known }]) => [
    name,
    rateText(anonymous),
    rateText(known),
  ]);
  const [trial, account] = [QUOTAS.trial, QUOTAS.persistent].map(({ requestsPerDay }) =>
    requestsPerDay.toLocaleString('en'),
  );
  const daily = `${account} with an account’s key, ${trial} with a trial key`;
  return table(
    ['Surface', 'Without a key', 'With a key'],
    [...rows, ['All requests in a day', 'no further limit', daily]],
  );
}

/** Returns a table of the tools that have their own limits, grouped by limit. */
function ownLimitTable(): string {
  const limited = TOOLS.filter(({ limits }) => limits.length > 0);
  const byLimit = Map.groupBy(limited, allLimitsText);
  return table(
    ['Limit', 'Tools'],
    [...byLimit].map(([limit, tools]) => [
      limit,
      tools.map(({ name }) => `\`${name}\``).join(', '),
    ]),
  );
}

const allLimitsText = ({ limits, access }: Tool): string => {
  const few =
    typeof access === 'object' ? [`${access.anonymousPerHour} an hour without an account`] : [];
  return [...limits.map(ownLimitText), ...few].join(', and ');
};

export const TOOL_PARTS: Record<string, () => string> = {
  'tool counts': countsText,
  'tools over MCP': () => String(toolCounts().mcp),
  'tools in the browser': () => String(toolCounts().browser),
  'tools with own limits': ownLimitTable,
  'tool limits': limitTable,
  'tool table': toolTable,
};

/** Returns a document of the site with its parts. Throws if it names an unknown part. */
export const withToolParts = (path: string, markdown: string): string =>
  markdown.replace(/<!-- (tools? [^>]{1,80}) -->/g, (marker, name: string) => {
    const part = TOOL_PARTS[name];
    if (!part) throw new Error(`${path}: ${marker} is not a part of a document.`);
    return part();
  });
