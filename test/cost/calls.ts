/**
 * The units of calls of each kind, as src/call-costs.test.ts counts them. Unless its name says otherwise, a call is
 * its caller's second one, ten seconds after the first, in the same isolate.
 */
import type { Units } from './prices.ts';

interface Calls {
  /** How many calls have used the units. */
  calls: number;
  units: Units;
  /** CPU time of the Worker for one call in milliseconds, rounded up. Measured on a laptop, not asserted. */
  cpuMs: number;
}

const calls = (count: number, cpuMs: number, units: Units): Calls => ({
  calls: count,
  cpuMs,
  // A tenth of the ordinary calls become data points.
  units: { requests: count, dataPoints: count / 10, ...units },
});
const call = (cpuMs: number, units: Units = {}) => calls(1, cpuMs, units);
/** A call that is slow, or that the media worker or a model answers, always becomes a data point. */
const rareCall = (cpuMs: number, units: Units) => call(cpuMs, { dataPoints: 1, ...units });

/** A call that a limit counts: one request to the caller's object, which writes it. */
const COUNTED: Units = { objectRequests: 1, objectRowsWritten: 1 };
/**
 * Two of ten calls are written immediately. An alarm writes the others; it is set for the next second, then for the end
 * of the window.
 */
const TEN_COUNTED: Units = { objectRequests: 11, objectRowsWritten: 5 };

export const CALLS = {
  'encode_base64, first call of an address': call(1, { objectRequests: 1, objectRowsWritten: 2 }),
  'encode_base64, anonymous': call(1, COUNTED),
  'encode_base64, anonymous, ten within a second': calls(10, 1, TEN_COUNTED),
  'encode_base64, keyed': call(1, COUNTED),
  'encode_base64, keyed, ten within a second': calls(10, 1, TEN_COUNTED),
  'encode_base64, MCP tools/call': call(2, COUNTED),
  compress_image: rareCall(2, {
    ...{ objectRequests: 3, objectRowsWritten: 2, objectMs: 1000, containerMs: 1000 },
  }),
  'screenshot_url, cached': call(1, COUNTED),
  'screenshot_url, uncached': rareCall(20, {
    ...{ objectRequests: 4, objectRowsWritten: 2, objectMs: 3000 },
    r2ClassA: 2,
    r2ClassB: 1,
    browserMs: 3000,
  }),
  search: call(2, { ...COUNTED, embedTokens: 20 }),
  'generate_text, lorem': call(1, COUNTED),
  'generate_text, a hint': rareCall(2, {
    ...COUNTED,
    r2ClassA: 1,
    r2ClassB: 2,
    simpleTokensIn: 300,
    simpleTokensOut: 200,
  }),
  'a redirect': call(1, { d1Queries: 1, d1RowsRead: 3, d1RowsWritten: 1 }),
  'a redirect, ten within ten seconds': calls(10, 1, {
    d1Queries: 1,
    d1RowsRead: 3,
    d1RowsWritten: 1,
  }),
  'a file download': call(1, { ...COUNTED, r2ClassB: 1 }),
  'a page of the site': call(1),
} as const satisfies Record<string, Calls>;

export type CallName = keyof typeof CALLS;

/** The database cost of a key's calls to one tool in an hour: its usage and its record. */
export const HOURLY_WRITE: Units = {
  d1Queries: 3,
  d1RowsRead: 7,
  d1RowsWritten: 4,
};
