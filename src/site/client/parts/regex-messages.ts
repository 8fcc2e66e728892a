/** The messages between the page of test_regex and its worker. */

export interface RegexJob {
  id: number;
  pattern: string;
  flags: string;
  text: string;
  replacement: string;
}

export interface RegexMatch {
  index: number;
  text: string;
  groups: (string | null)[];
  named: Record<string, string | undefined>;
}

export interface RegexMatches {
  matches: RegexMatch[];
  /** The text with the replacement; null without one. */
  replaced: string | null;
  /** Whether the list of matches is truncated. */
  isCut: boolean;
}

/** `ready` is sent once, after the worker has started. */
export type RegexAnswer = 'ready' | ({ id: number } & (RegexMatches | { error: string }));
