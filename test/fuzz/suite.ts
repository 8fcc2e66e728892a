/** Runs the fuzzer as tests with a fixed seed. The tests take about a minute if `scale` is 1. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from './calls.ts';
import { campaign, shown } from './campaign.ts';
import { editedText } from './edited-text.ts';
import { FORMER_FAULTS } from './former-faults.ts';
import { FuzzedService } from './fuzzed-service.ts';
import { ParserRunner } from './parser-runner.ts';
import { PARSERS, type ParserTarget } from './parsers.ts';
import { type SeedFile, seedFiles } from './seed-files.ts';

const SEED = 1;
const PARSER_INPUTS = 150;
/** The number of inputs per target. It is lower for targets whose calls are expensive. */
const CALL_INPUTS: Record<string, number> = {
  tools: 80,
  mcp: 80,
  chains: 60,
  surfaces: 60,
  pages: 30,
  forms: 5,
  files: 10,
};
/** The time limit in milliseconds. It only guards against hangs. */
const TIMEOUT_MS = 300_000;

export function fuzzSuite(scale: number): void {
  const options = { timeout: TIMEOUT_MS * scale };

  describe('the fuzzer', () => {
    const runner = new ParserRunner();
    afterAll(() => runner[Symbol.asyncDispose]());
    const findings = async (name: string, target: ParserTarget, runs: number) => {
      const extent = { seed: SEED, runs, unshrunk: target === FORMER_FAULTS[name] };
      const check = (text: string) => runner.check(name, text);
      const tried = await campaign(name, editedText(target), check, extent);
      return tried.findings.map(shown);
    };

    it.each(Object.keys(FORMER_FAULTS))('finds the %s', options, async (name) => {
      expect(await findings(name, FORMER_FAULTS[name]!, 3000)).toHaveLength(1);
    });

    it.each(Object.keys(PARSERS))('finds nothing in the parser %s', options, async (name) => {
      const target = PARSERS[name]!;
      for (const seed of target.seeds) expect(await runner.check(name, seed)).toBeNull();
      expect(await findings(name, target, PARSER_INPUTS * scale)).toEqual([]);
    });
  });

  describe('the fuzzer on a running service', () => {
    let service: FuzzedService;
    let files: SeedFile[];
    beforeAll(async () => {
      [service, files] = await Promise.all([FuzzedService.open(), seedFiles()]);
    }, TIMEOUT_MS);
    afterAll(() => service?.[Symbol.asyncDispose]());

    it.each(Object.keys(CALLS))('finds nothing in calls of %s', options, async (name) => {
      const extent = { seed: SEED, runs: CALL_INPUTS[name]! * scale };
      const tried = await campaign(
        name,
        CALLS[name]!(files),
        (call) => service.check(call),
        extent,
      );
      expect(tried.findings.map(shown)).toEqual([]);
      expect(await service.afterwards()).toBeNull();
    });
  });
}
