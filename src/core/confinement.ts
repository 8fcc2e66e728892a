/** Describes how a part of the service that reads untrusted bytes is confined (ADR 47). */
export interface Confinement {
  /** The measures in effect, such as `user 61901` and `no network`. */
  on: string[];
  /** The measures that are not in effect, each with its reason. */
  off: string[];
}

/**
 * The user and group IDs of the processes of a service that was started as root. They do not collide with accounts,
 * because they are in the range that systemd reserves for dynamic users.
 */
export const USERS = { media: 61_901, browser: 61_902, worker: 61_903 };

/** Formats the confinement of one part of the service as a single line: `programs: user 61901, no network. Off: …`. */
export const describeConfinement = (part: string, { on, off }: Confinement): string =>
  `${part}: ${on.join(', ') || 'nothing'}${off.length > 0 ? `. Off: ${off.join(', ')}` : ''}`;
