/** What a refusal advises: programs need a key; for people on a page signing in is enough, and a key is of no use. */
import type { Limit } from '../core/limits.ts';
import { SURFACES } from './surfaces.ts';

interface Advice {
  programs: string;
  people: string;
}

export const SIGN_IN: Advice = {
  programs:
    'Sign in at /developers and make an API key there, which you send as "Authorization: Bearer tsk_…". A trial key does not count as an account.',
  people: 'Sign in at /developers.',
};

/** To anonymous callers, of what others may. */
export const knownRate = ({ calls, per }: Pick<Limit, 'calls' | 'per'>): Advice => ({
  programs: `With an API key it is ${calls} per ${per}: /developers gives one at once.`,
  people: `Signed in it is ${calls} per ${per}: sign in at /developers.`,
});

const ALL = [SIGN_IN, ...Object.values(SURFACES).map(({ known }) => knownRate(known))];

/** A refusal as a page says it. */
export const forPeople = (message: string): string =>
  ALL.reduce((text, { programs, people }) => text.replace(programs, people), message);
