/**
 * Prints the billed units of each kind of call, and the cost in dollars per million calls. A test verifies the units
 * first.
 */
import { spawnSync } from 'node:child_process';
import { CALLS, HOURLY_WRITE } from '../cost/calls.ts';
import { dollarsPerMillion, PRICES, type Unit, type Units } from '../cost/prices.ts';
import type { Row } from './row.ts';

/** The maximum price of a million calls in dollars, by kind of call. */
const GOALS: Record<string, number> = {
  'encode_base64, anonymous': 1.5,
  'encode_base64, keyed': 1.5,
  'encode_base64, anonymous, ten within a second': 1.5,
  'encode_base64, keyed, ten within a second': 1.5,
};

export function costRows(): Row[] {
  const counting = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project=workerd', 'src/call-costs.test.ts'],
    { encoding: 'utf8' },
  );
  if (counting.status !== 0) throw new Error(`The units have changed:\n${counting.stdout}`);
  const rows = Object.entries(CALLS).map(([name, { calls, units, cpuMs }]) =>
    row(name, { ...each(units, calls), cpuMs }),
  );
  const rowOfHour = row('and for each hour in which a key calls', HOURLY_WRITE);
  for (const { name, units } of [...rows, rowOfHour]) console.log(`${name}: ${inWords(units)}`);
  return [...rows, rowOfHour].map(({ units: _, ...printed }) => printed);
}

const each = (units: Units, calls: number): Units =>
  Object.fromEntries(Object.entries(units).map(([unit, count]) => [unit, count / calls]));

function row(name: string, units: Units): Row & { units: Units } {
  const dollars = dollarsPerMillion(units);
  const goal = GOALS[name];
  return {
    name,
    units,
    ours: `$${dollars.toFixed(2)}`,
    theirs: '',
    ratio: '',
    goal: goal === undefined ? '' : `≤ $${goal}`,
    reached: goal === undefined || dollars <= goal,
  };
}

/** Formats the units, the most expensive first. */
function inWords(units: Units): string {
  const dollarsOf = ([unit, count]: [string, number]) => PRICES[unit as Unit].dollars * count;
  return Object.entries(units)
    .sort((one, other) => dollarsOf(other) - dollarsOf(one))
    .map((entry) => `${entry[1]} ${entry[0]} $${dollarsOf(entry).toFixed(3)}`)
    .join(', ');
}
