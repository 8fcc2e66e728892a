/** Tests that tools let other requests run while they work on large texts. */
import { describe, expect, it } from 'vitest';
import type { LargeCall } from '../core/large-call.ts';
import { findTool } from '../tools/find-tool.ts';
import { execute, prepare } from './execute.ts';

/** Returns how many times the call lets other calls run. */
async function pausesOf(name: string, parameters: Record<string, unknown>): Promise<number> {
  let pauses = 0;
  const begin = async () => {
    pauses += 1;
  };
  const large = () => ({ begin }) as LargeCall;
  const call = prepare(findTool(name)!, { parameters, files: [], surface: 'rest' });
  const signal = () => new AbortController().signal;
  const caller = { address: '127.0.0.1' };
  await execute({ ...call, files: [] }, { caller, requestId: 'x', signal, large }, {} as never);
  return pauses;
}

const lines = (count: number, line: string) => `${line}\n`.repeat(count);

/** Each entry is a tool, its parameters, and how many times its call must let other calls run. */
const LARGE: [string, Record<string, unknown>, number][] = [
  ['encode_url', { url: 'ü'.repeat(3_000_000) }, 7],
  ['compare_text', { text1: lines(300_000, ''), text2: lines(300_000, '') }, 8],
  ['compare_text', { text1: lines(200_000, 'a'), text2: lines(200_000, 'b') }, 6],
  ['format_json', { json: `[${lines(50_000, '[],')}[]]` }, 5],
];

describe('a tool with a large text', () => {
  it.each(LARGE)('lets other calls run while %s works', async (name, parameters, least) => {
    expect(await pausesOf(name, parameters)).toBeGreaterThanOrEqual(least);
  });
});
