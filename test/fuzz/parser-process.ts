/** A process that runs one parser at a time on the input that it is sent, and measures it. Its parent can kill it. */

import { FORMER_FAULTS } from './former-faults.ts';
import { PARSERS } from './parsers.ts';

export interface Task {
  target: string;
  text: string;
}

export interface Measured {
  /** Of this process, all threads. */
  cpuMilliseconds: number;
  /** What the result takes as JSON. */
  resultBytes: number;
  /** How many of them the parser may make of one byte. */
  growth: number;
  /** Name and message of an error that does not refuse the input. */
  escaped: string | null;
}

/** An escaped character takes six bytes. */
const USUAL_GROWTH = 8;

const targets = { ...PARSERS, ...FORMER_FAULTS };

process.on('message', async ({ target, text }: Task) => {
  const { parse, refuses = [], growth = USUAL_GROWTH } = targets[target]!;
  const start = process.cpuUsage();
  let result: unknown;
  let escaped: string | null = null;
  try {
    result = await parse(text);
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'ToolError' && !refuses.includes(name)) escaped = `${name}: ${message}`;
  }
  const { user, system } = process.cpuUsage(start);
  const measured: Measured = {
    cpuMilliseconds: (user + system) / 1000,
    resultBytes: JSON.stringify(result ?? null).length,
    growth,
    escaped,
  };
  process.send!(measured);
});
process.send!('ready');
