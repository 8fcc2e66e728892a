/**
 * Lists the billed units of each kind of call, as counted by src/call-costs.test.ts. Each call follows another call by
 * the same caller, made ten seconds earlier in the same isolate, unless its name says otherwise.
 */
import type { Units } from './prices.ts';

interface Calls {
  /** The number of calls that used these units. */
  calls: number;
  units: Units;
  /** The Worker's CPU time per call in milliseconds, rounded up. It is measured on a laptop, and no test checks it. */
  cpuMs: number;
  /** A description of the units that are assumed, because a fake service cannot measure them. */
  assumed?: string;
}

const calls = (count: number, cpuMs: number, units: Units): Calls => ({
  calls: count,
  cpuMs,
  // One in ten ordinary calls is recorded as a data point.
  units: { requests: count, dataPoints: count / 10, ...units },
});
const call = (cpuMs: number, units: Units = {}) => calls(1, cpuMs, units);
/**
 * Slow calls are always recorded as data points. Calls that the media worker or a model handles are also always
 * recorded.
 */
const rareCall = (cpuMs: number, units: Units, assumed: string): Calls => ({
  ...call(cpuMs, { dataPoints: 1, ...units }),
  assumed,
});

/**
 * The assumed usage of services that are faked here. The container converts the photo of `npm run bench -- image` (12
 * megapixels to WebP). The browser captures the page two seconds after its launch. The tokens are for a prompt and a
 * short response.
 */
export const ASSUMED = {
  container: { ms: 1000, bytes: 2_000_000, text: '1 s, answer of 2 MB' },
  browser: { ms: 3000, text: '3 s' },
  tokens: { in: 300, out: 200, text: '300 tokens in, 200 out' },
} as const;

/** A rate-limited call makes one request to the caller's Durable Object, which writes the count. */
const COUNTED: Units = { objectRequests: 1, objectRowsWritten: 1 };
/**
 * Two of ten calls are written immediately. An alarm writes the others. The alarm is first set to the next second, and
 * then to the end of the window.
 */
const TEN_COUNTED: Units = { objectRequests: 11, objectRowsWritten: 5 };

export const CALLS = {
  'encode_base64, first call of an address': call(1, { objectRequests: 1, objectRowsWritten: 2 }),
  'encode_base64, anonymous': call(1, COUNTED),
  'encode_base64, anonymous, ten within a second': calls(10, 1, TEN_COUNTED),
  'encode_base64, keyed': call(1, COUNTED),
  'encode_base64, keyed, ten within a second': calls(10, 1, TEN_COUNTED),
  'encode_base64, MCP tools/call': call(2, COUNTED),
  'encode_base64, MCP, ten calls two minutes apart': calls(10, 2, {
    objectRequests: 10,
    objectRowsWritten: 10,
    // Each isolate reads the block list at most once every 30 seconds, regardless of the number of calls. A read takes
    // three queries.
    d1Queries: 27,
    d1RowsRead: 27,
  }),
  compress_image: rareCall(
    2,
    {
      objectRequests: 3,
      objectRowsWritten: 2,
      objectMs: ASSUMED.container.ms,
      containerMs: ASSUMED.container.ms,
      containerBytes: ASSUMED.container.bytes,
    },
    ASSUMED.container.text,
  ),
  'screenshot_url, cached': call(1, COUNTED),
  'screenshot_url, uncached': rareCall(
    20,
    {
      objectRequests: 4,
      objectRowsWritten: 2,
      objectMs: ASSUMED.browser.ms,
      r2ClassA: 2,
      r2ClassB: 1,
      browserMs: ASSUMED.browser.ms,
    },
    ASSUMED.browser.text,
  ),
  search: call(2, { ...COUNTED, embedTokens: 20 }),
  'generate_text, lorem': call(1, COUNTED),
  'generate_text, a hint': rareCall(
    2,
    {
      ...COUNTED,
      r2ClassA: 1,
      r2ClassB: 2,
      simpleTokensIn: ASSUMED.tokens.in,
      simpleTokensOut: ASSUMED.tokens.out,
    },
    ASSUMED.tokens.text,
  ),
  'a redirect': call(1, { d1Queries: 1, d1RowsRead: 3, d1RowsWritten: 1 }),
  'a redirect, first of an isolate': call(1, { d1Queries: 1, d1RowsRead: 3, d1RowsWritten: 1 }),
  'a redirect, ten within ten seconds': calls(10, 1, {
    d1Queries: 1,
    d1RowsRead: 3,
    d1RowsWritten: 1,
  }),
  'a file download': call(1, { ...COUNTED, r2ClassB: 1 }),
  'a file download, a range': call(1, { ...COUNTED, r2ClassB: 1 }),
  'a file download, unchanged': call(1, { ...COUNTED, r2ClassB: 1 }),
  'a page of the site': call(1),
} as const satisfies Record<string, Calls>;

export type CallName = keyof typeof CALLS;

/**
 * The database units per hour in which a key calls one tool: its usage, the time of its last use, and a read of the
 * key.
 */
export const HOURLY_WRITE: Units = {
  d1Queries: 3,
  d1RowsRead: 7,
  d1RowsWritten: 4,
};
