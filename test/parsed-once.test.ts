/**
 * Tests that a call parses each parameter only once, because `run` receives the values that `check` has parsed. V8
 * counts the calls to the parsers.
 */
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputFile } from '../src/core/input-file.ts';
import { findTool } from '../src/tools/find-tool.ts';
import { TOOLS } from '../src/tools/registry.ts';
import { runTool } from './support/run-tool.ts';

const URL_PARAMETER = { url: 'https://example.com/page' };
/**
 * The tools whose `check` returns parsed parameters, each with sample parameters and the name of the parser function.
 */
const CALLS: Record<string, [parameters: Record<string, unknown>, parser: string]> = {
  compress_video: [{}, 'codecsFor'],
  fetch_page_metadata: [URL_PARAMETER, 'parseWebUrl'],
  fetch_site_logo: [URL_PARAMETER, 'parseWebUrl'],
  generate_blog_outline: [{ topic: 'tea, coffee' }, 'keywordsOf'],
  screenshot_url: [URL_PARAMETER, 'parseWebUrl'],
  shorten_url: [URL_PARAMETER, 'parseTarget'],
  split_pdf: [{ ranges: ['1-3'] }, 'parsePageRanges'],
};

const session = new Session();

beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => session.disconnect());

/** Makes a file that starts with these characters. It is too large for the Worker to split. */
const fileOf = (head: string) =>
  ({ name: 'input', size: 2_000_000, head: new TextEncoder().encode(head) }) as InputFile;
const PDF = fileOf('%PDF-1.7\n');
const VIDEO = fileOf('\0\0\0\x18ftypisom\0\0\0\0isommp42');

const PORTS = {
  browser: { isOn: true },
  media: { run: () => Promise.reject(new Error('far enough')) },
} as never;

async function callsOf(name: string): Promise<number> {
  const [parameters, parser] = CALLS[name]!;
  const tool = findTool(name)!;
  await session.post('Profiler.takePreciseCoverage');
  const files = tool.files ? [name === 'compress_video' ? VIDEO : PDF] : [];
  const ended = await runTool(tool as never, parameters, { files, ports: PORTS }).catch(String);
  expect(ended).not.toMatch(/ToolError/);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/src/'))
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === parser)
    .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
}

describe('the parameters of a call', () => {
  it.each(Object.keys(CALLS))('of %s are parsed once', async (name) => {
    expect(await callsOf(name)).toBe(1);
  });

  it('are parsed by a parser listed here if a check parses them', () => {
    const parsing = TOOLS.filter(({ name, check, example, input }) => {
      const checked = example?.parameters && check?.(input.parse(example.parameters) as never);
      return checked !== undefined || name in CALLS;
    });
    expect(parsing.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
  });
});
