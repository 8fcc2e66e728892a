/** Runs and measures one parser at a time in a separate process, which its parent can kill. */

import { FORMER_FAULTS } from './former-faults.ts';
import { PARSERS } from './parsers.ts';

export interface Task {
  target: string;
  text: string;
}

export interface Measured {
  /** The CPU time of all threads of the process, in milliseconds. */
  cpuMilliseconds: number;
  /** The length of the result as JSON, in characters. */
  resultBytes: number;
  /** The allowed number of result characters per input character. */
  growth: number;
  /** The name and message of an unexpected error. Null if there was none or if the parser rejected the input. */
  escaped: string | null;
}

/** The default number of result characters that are allowed per input character. An escaped one already takes six. */
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
