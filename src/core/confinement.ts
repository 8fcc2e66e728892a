/** How a part of the service that reads untrusted bytes is confined (ADR 47). */
export interface Confinement {
  /** Measures in effect: `user 61901`, `no network`. */
  on: string[];
  /** Measures that are not in effect, each with its reason. */
  off: string[];
}

/**
 * The users (and groups) that run the parts of a service if root starts it. They need no account, because the numbers
 * are in the range that systemd reserves for dynamic users.
 */
export const USERS = { media: 61_901, browser: 61_902, worker: 61_903 };

/** Formats one line for each part: `programs: user 61901, no network. Off: …`. */
export const describeConfinement = (part: string, { on, off }: Confinement): string =>
  `${part}: ${on.join(', ') || 'nothing'}${off.length > 0 ? `. Off: ${off.join(', ')}` : ''}`;
