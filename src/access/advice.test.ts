import { describe, expect, it } from 'vitest';
import type { Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { forPeople } from './advice.ts';
import { entryCharges, toolCharges } from './charges.ts';
import { GENERAL_LIMITS, type GeneralLimit } from './general-limits.ts';

const caller = { address: '192.0.2.1' };
const remainingQuota = { remaining: 0, resetAt: 0, unitAt: 0, refuses: true };

/** Returns the message that an anonymous caller gets if a general limit or a tool's own limit refuses the call. */
const ofLimit = (limit: GeneralLimit) =>
  entryCharges(limit, caller, 1, false)[0]!.refusal(remainingQuota, 60).message;

function ofTool(tool: Tool): string {
  try {
    return toolCharges(tool, caller)[0]!.refusal(remainingQuota, 60).message;
  } catch (refusal) {
    return (refusal as Error).message;
  }
}

describe('the advice in a refusal', () => {
  const raised = (Object.keys(GENERAL_LIMITS) as GeneralLimit[])
    .map(ofLimit)
    .filter((m) => /key/.test(m));
  const accounts = TOOLS.filter(({ access }) => access !== 'anyone').map(ofTool);

  it('suggests an API key to a program', () => {
    expect(raised).toHaveLength(4);
    expect(accounts.length).toBeGreaterThan(1);
    for (const message of [...raised, ...accounts]) expect(message).toMatch(/API key/);
  });

  it('names the remaining units of a limit that a chain needs more of', () => {
    const short = { ...remainingQuota, remaining: 2 };
    const { message } = entryCharges('chain', caller, 3, false)[1]!.refusal(short, 60);
    expect(message).toMatch(
      /^This call needs 3 tool executions, but you have only 2 of 35 per hour left\. Try again in 60 seconds\. An API key raises/,
    );
    expect(forPeople(message)).toMatch(
      /^This needs 3 runs, but you have only 2 left this hour\. Try again in 60 seconds\. Sign in /,
    );
  });

  it('suggests signing in, not a key, to a person on a page', () => {
    for (const message of [...raised, ...accounts].map(forPeople)) {
      expect(message).toMatch(/Sign in to (?:continue|raise this limit to \d+ per \w+)\.$/);
      expect(message).not.toMatch(/key|Bearer/);
    }
    expect(forPeople(ofLimit('search'))).toBe(
      'The limit is 25 searches per hour. Try again in 60 seconds. Sign in to raise this limit to 300 per hour.',
    );
    expect(forPeople(ofLimit('execution'))).toBe(
      'You have used your 35 free runs this hour. Try again in 60 seconds. Sign in to raise this limit to 60 per minute.',
    );
  });
});
