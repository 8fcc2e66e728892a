/**
 * Updates the generated parts of hand-written documents of the repository. A part is the text between `<!-- NAME -->` and
 * `<!-- /NAME -->`.
 */
import { CALLS, HOURLY_WRITE } from '../test/cost/calls.ts';
import { dollarsPerMillion, PRICES, type Unit, type Units } from '../test/cost/prices.ts';
import { table } from './property-table.ts';
import { TOOL_PARTS } from './tool-parts.ts';

/** The documents that contain generated parts. */
export const DOCUMENTS = ['README.md', 'docs/scale.md'];

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

const PARTS: Record<string, () => string> = { ...TOOL_PARTS, 'cost table': costTable };

/** Returns the document with its parts regenerated. Throws if a part has no end marker or an unknown name. */
export function withGeneratedParts(path: string, markdown: string): string {
  return markdown.replace(
    /<!-- (?!\/)([^>]{1,80}) -->(?:([\s\S]*?)<!-- \/\1 -->)?/g,
    (_, name, content) => {
      const part = PARTS[name as string];
      if (!part || content === undefined) {
        const names = Object.keys(PARTS).join(', ');
        throw new Error(
          `${path}: <!-- ${name} --> is not a generated part (${names}) or has no end marker.`,
        );
      }
      const text = part();
      const isBlock = text.includes('\n');
      return `<!-- ${name} -->${isBlock ? `\n\n${text}\n\n` : text}<!-- /${name} -->`;
    },
  );
}
