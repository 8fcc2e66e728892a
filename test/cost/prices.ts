/**
 * Lists Cloudflare's prices in dollars per million units, after the included amounts. Model prices were read on
 * 2026-09-20, and all other prices on 2026-11-23.
 */

interface Price {
  /** The name of the unit in docs/scale.md. */
  what: string;
  dollars: number;
  source: string;
}

const DOCS = 'https://developers.cloudflare.com';
const WORKERS = `${DOCS}/workers/platform/pricing/`;
const OBJECTS = `${DOCS}/durable-objects/platform/pricing/`;
const D1 = `${DOCS}/d1/platform/pricing/`;
const R2 = `${DOCS}/r2/pricing/`;
const MODELS = `${DOCS}/workers-ai/platform/pricing/`;
const CONTAINERS = `${DOCS}/containers/pricing/`;

/**
 * The price of a million seconds of a Durable Object. An object has 128 MB of memory, and a million GB-seconds cost
 * $12.50.
 */
const OBJECT_SECOND = 12.5 * 0.128;
/**
 * The price of a million seconds of work on the container instance defined in wrangler.toml (2 vCPU, 8 GiB, 16 GB of
 * disk).
 */
const CONTAINER_SECOND = 2 * 20 + 8 * 2.5 + 16 * 0.07;
/** The price of a million browser seconds, at $0.09 per hour. */
const BROWSER_SECOND = (0.09 / 3600) * 1e6;

export const PRICES = {
  requests: { what: 'requests', dollars: 0.3, source: WORKERS },
  /** The CPU time of the Worker, in milliseconds. */
  cpuMs: { what: 'CPU time', dollars: 0.02, source: WORKERS },
  /** Calls to Analytics Engine's writeDataPoint. */
  dataPoints: {
    what: 'data points',
    dollars: 0.25,
    source: `${DOCS}/analytics/analytics-engine/pricing`,
  },
  /** Each method call on a stub and each alarm counts as a request. */
  objectRequests: { what: 'requests to objects', dollars: 0.15, source: OBJECTS },
  /** Each key that is put or deleted counts as a row, and so does each alarm that is set. */
  objectRowsWritten: { what: 'rows that objects write', dollars: 1, source: OBJECTS },
  objectRowsRead: { what: 'rows that objects read', dollars: 0.001, source: OBJECTS },
  /** The time in milliseconds during which an object works or has a pending timer. */
  objectMs: { what: 'time of objects', dollars: OBJECT_SECOND / 1000, source: OBJECTS },
  /** Cloudflare does not bill queries. They are counted because a D1 primary runs them sequentially. */
  d1Queries: { what: 'queries of D1', dollars: 0, source: D1 },
  d1RowsRead: { what: 'rows read in D1', dollars: 0.001, source: D1 },
  d1RowsWritten: { what: 'rows written in D1', dollars: 1, source: D1 },
  /** Class A operations of R2, which are writes and lists. Deletions and egress are free. */
  r2ClassA: { what: 'writes to R2', dollars: 4.5, source: R2 },
  /** Reads of R2. */
  r2ClassB: { what: 'reads of R2', dollars: 0.36, source: R2 },
  /** Tokens of llama-3.1-8b-instruct-fp8-fast. */
  simpleTokensIn: { what: 'tokens read by the small model', dollars: 0.045, source: MODELS },
  simpleTokensOut: { what: 'tokens written by the small model', dollars: 0.384, source: MODELS },
  /** Tokens of llama-3.3-70b-instruct-fp8-fast. */
  textTokensIn: { what: 'tokens read by the model', dollars: 0.293, source: MODELS },
  textTokensOut: { what: 'tokens written by the model', dollars: 2.253, source: MODELS },
  /** Tokens of bge-m3. */
  embedTokens: { what: 'embedded tokens', dollars: 0.012, source: MODELS },
  browserMs: {
    what: 'time of browsers',
    dollars: BROWSER_SECOND / 1000,
    source: `${DOCS}/browser-run/pricing/`,
  },
  /**
   * The time in milliseconds during which the instance works on the call. The time until the instance goes to sleep is
   * not included, because all callers share it.
   */
  containerMs: { what: 'time of containers', dollars: CONTAINER_SECOND / 1000, source: CONTAINERS },
  /**
   * Bytes sent by a container, at $0.025 per GB in North America and Europe. Responses to the Worker are assumed to be
   * billed. Bytes sent by Workers and R2 are free.
   */
  containerBytes: {
    what: 'bytes sent by containers',
    dollars: (0.025 / 1e9) * 1e6,
    source: CONTAINERS,
  },
} as const satisfies Record<string, Price>;

export type Unit = keyof typeof PRICES;
/** The number of units of each kind. The default is 0. */
export type Units = Partial<Record<Unit, number>>;

/** Returns the price in dollars of a million calls that each use these units. */
export const dollarsPerMillion = (units: Units): number =>
  Object.entries(units).reduce(
    (sum, [unit, count]) => sum + PRICES[unit as Unit].dollars * count,
    0,
  );
