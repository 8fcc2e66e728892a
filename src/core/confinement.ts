/** What keeps programs that read foreign bytes apart from the machine, as a part of the service reports it. */
export interface Confinement {
  /** What holds: `user 61901`, `no network`. */
  on: string[];
  /** What does not hold, each with its reason. */
  off: string[];
}

/**
 * The users, and groups of the same numbers, that run the parts of a service that root starts. They need no account:
 * the numbers lie in the range that systemd keeps for users without one.
 */
export const USERS = { media: 61_901, browser: 61_902, worker: 61_903 };

/** One line for each part: `programs: user 61901, no network. Off: …`. */
export const describeConfinement = (part: string, { on, off }: Confinement): string =>
  `${part}: ${on.join(', ') || 'nothing'}${off.length > 0 ? `. Off: ${off.join(', ')}` : ''}`;
