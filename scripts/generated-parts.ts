/**
 * Updates the generated parts of hand-written documents. A part is the text between `<!-- NAME -->` and `<!-- /NAME
 * -->`.
 */
import { QUOTAS } from '../src/access/api-keys.ts';
import { GENERAL_LIMITS, rateText } from '../src/access/general-limits.ts';
import { ownLimitText } from '../src/access/own-limits.ts';
import { countsText, toolCounts } from '../src/catalogue/counts.ts';
import { toolsByKind } from '../src/catalogue/kinds.ts';
import type { Tool } from '../src/core/define-tool.ts';
import { TOOLS } from '../src/tools/registry.ts';
import { CALLS, HOURLY_WRITE } from '../test/cost/calls.ts';
import { dollarsPerMillion, PRICES, type Unit, type Units } from '../test/cost/prices.ts';
import { table } from './property-table.ts';

/** The documents that contain generated parts. */
export const DOCUMENTS = [
  'README.md',
  'src/site/docs/start.md',
  'src/site/docs/mcp.md',
  'docs/scale.md',
];

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

const assumedIn = (name: string, { assumed }: { assumed?: string }) =>
  assumed ? `${name} (assumed: ${assumed})` : name;

/** Returns a table of call kinds, each with its cost in dollars per million calls and its two most expensive units. */
function costTable(): string {
  const row = (name: string, count: number, units: Units) => {
    const dollarsOf = (unit: Unit, used = 0) => dollarsPerMillion({ [unit]: used / count });
    const most = Object.entries(units)
      .map(([unit, used]) => ({ dollars: dollarsOf(unit as Unit, used), unit: unit as Unit }))
      .sort((one, other) => other.dollars - one.dollars)
      .slice(0, 2)
      .map(({ dollars, unit }) => `${dollars.toFixed(2)} for ${PRICES[unit].what}`);
    return [name, (dollarsPerMillion(units) / count).toFixed(2), most.join(', ')];
  };
  const rows = Object.entries(CALLS).map(([name, { calls, units, cpuMs, ...rest }]) =>
    row(assumedIn(name, rest), calls, { ...units, cpuMs: cpuMs * calls }),
  );
  return table(
    ['Call', 'Dollars', 'Main costs'],
    [...rows, row('additionally, for each hour in which a key makes calls', 1, HOURLY_WRITE)],
  );
}

const PARTS: Record<string, () => string> = {
  'tool counts': countsText,
  'tools over MCP': () => String(toolCounts().mcp),
  'tools in the browser': () => String(toolCounts().browser),
  'cost table': () => `\n\n${costTable()}\n\n`,
  'tools with own limits': () => `\n\n${ownLimitTable()}\n\n`,
  'tool limits': () => `\n\n${limitTable()}\n\n`,
  'tool table': () => `\n\n${toolTable()}\n\n`,
};

/** Returns the document with its parts regenerated. Throws if a part has no end marker or an unknown name. */
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
