/** The advice in a refusal: programs need a key; people on a page need to sign in, where a key does not help. */
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

/** Tells anonymous callers the rate of identified ones. */
export const knownRate = ({ calls, per }: Pick<Limit, 'calls' | 'per'>): Advice => ({
  programs: `With an API key it is ${calls} per ${per}: /developers gives one at once.`,
  people: `Signed in it is ${calls} per ${per}: sign in at /developers.`,
});

const ALL = [SIGN_IN, ...Object.values(SURFACES).map(({ known }) => knownRate(known))];

/** Rewords a refusal for people on a page. */
export const forPeople = (message: string): string =>
  ALL.reduce((text, { programs, people }) => text.replace(programs, people), message);
