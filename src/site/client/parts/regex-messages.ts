/** Defines the messages between the page of test_regex and its worker. */

export interface RegexJob {
  id: number;
  pattern: string;
  flags: string;
  text: string;
  /** Null if the matches are not replaced. */
  replacement: string | null;
}

export interface RegexMatch {
  index: number;
  text: string;
  groups: (string | null)[];
}

export interface RegexMatches {
  matches: RegexMatch[];
  /** The names of the groups in order, null for groups without a name. */
  names: (string | null)[];
  /** The text after the replacements. Null if there is no replacement. */
  replaced: string | null;
  /** The number of counted matches. `matches` contains at most the first 1000 of them. */
  total: number;
  /** Whether there may be more matches than `total`. */
  isCut: boolean;
}

/** The worker's messages. It sends `ready` once, after it has started. */
export type RegexAnswer = 'ready' | ({ id: number } & (RegexMatches | RegexError));

export interface RegexError {
  error: string;
  /** Whether the flags are invalid. */
  isInFlags?: boolean;
}
