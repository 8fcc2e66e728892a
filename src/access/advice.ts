/** Builds the advice in a refusal. Programs are told to use an API key, and people on a page are told to sign in. */
import type { Limit } from '../core/limits.ts';
import { GENERAL_LIMITS } from './general-limits.ts';

interface Advice {
  programs: string;
  people: string;
}

export const SIGN_IN: Advice = {
  programs:
    'Sign in at /developers, create an API key and send it as "Authorization: Bearer tsk_…". A trial key does not belong to an account.',
  people: 'Sign in to continue.',
};

/** Tells anonymous callers about the higher limit for identified callers. */
export const knownRate = ({ calls, per }: Pick<Limit, 'calls' | 'per'>): Advice => ({
  programs: `An API key raises the limit to ${calls} per ${per}: create one at /developers.`,
  people: `Sign in to raise this limit to ${calls} per ${per}.`,
});

/** Returns the message for a caller that has reached a general limit. */
export const reachedLimit = (units: string, { calls, per }: Pick<Limit, 'calls' | 'per'>): string =>
  `The limit is ${calls} ${units} per ${per}.`;

/** Returns the message for a caller that has fewer units of a general limit left than its call needs. */
export const lackingUnits = (
  units: string,
  { calls, per }: Pick<Limit, 'calls' | 'per'>,
  cost: number,
  remaining: number,
): string =>
  `This call needs ${cost} ${units}, but you have only ${remaining} of ${calls} per ${per} left.`;

/** Matches `lackingUnits` of anonymous callers, whose executions are limited per hour. */
const LACKING_RUNS =
  /This call needs (\d+) tool executions, but you have only (\d+) of \d+ per hour left\./;

const { units, anonymous } = GENERAL_LIMITS.execution;
const FREE_RUNS: Advice = {
  programs: reachedLimit(units, anonymous),
  people: `You have used your ${anonymous.calls} free runs this ${anonymous.per}.`,
};

const ALL = [
  SIGN_IN,
  FREE_RUNS,
  ...Object.values(GENERAL_LIMITS).map(({ known }) => knownRate(known)),
];

/** Replaces the advice for programs in a refusal with the advice for people on a page. */
export const forPeople = (message: string): string =>
  ALL.reduce(
    (text, { programs, people }) => text.replace(programs, people),
    message.replace(LACKING_RUNS, 'This needs $1 runs, but you have only $2 left this hour.'),
  );
