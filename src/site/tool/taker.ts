/** What a page knows about the tools to which it can send its result. */

/** A tool that takes files, and their kinds. */
export interface Taker {
  name: string;
  title: string;
  kinds: string[];
}
