/**
 * What Cloudflare bills for a call, in dollars per million units, after the included amounts. Read on 2026-11-23; the
 * prices of models on 2026-09-20.
 */

interface Price {
  /** The name of the unit in docs/scale.md. */
  what: string;
  /** Dollars per million units. */
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

/** 128 MB of a Durable Object for a second, at $12.50 per million GB-seconds. */
const OBJECT_SECOND = 12.5 * 0.128;
/** One second of work on the instance of wrangler.toml (2 vCPU, 8 GiB, 16 GB of disk). */
const CONTAINER_SECOND = 2 * 20 + 8 * 2.5 + 16 * 0.07;
/** Browser hours cost $0.09. */
const BROWSER_SECOND = (0.09 / 3600) * 1e6;

export const PRICES = {
  requests: { what: 'requests', dollars: 0.3, source: WORKERS },
  /** CPU time of the Worker. */
  cpuMs: { what: 'CPU time', dollars: 0.02, source: WORKERS },
  /** Lines of Workers Logs. */
  logLines: { what: 'log lines', dollars: 0.6, source: WORKERS },
  /** Calls of Analytics Engine's writeDataPoint. */
  dataPoints: {
    what: 'data points',
    dollars: 0.25,
    source: `${DOCS}/analytics/analytics-engine/pricing`,
  },
  /** Each method call of a stub, and each alarm. */
  objectRequests: { what: 'requests to objects', dollars: 0.15, source: OBJECTS },
  /** A key that is put or deleted, and each alarm that is set. */
  objectRowsWritten: { what: 'rows that objects write', dollars: 1, source: OBJECTS },
  objectRowsRead: { what: 'rows that objects read', dollars: 0.001, source: OBJECTS },
  /** The time in which an object works or has a pending timer. */
  objectMs: { what: 'time of objects', dollars: OBJECT_SECOND / 1000, source: OBJECTS },
  /** Cloudflare does not bill queries, but a D1 primary runs them one after another. */
  d1Queries: { what: 'queries of D1', dollars: 0, source: D1 },
  d1RowsRead: { what: 'rows read in D1', dollars: 0.001, source: D1 },
  d1RowsWritten: { what: 'rows written in D1', dollars: 1, source: D1 },
  /** Class A operations of R2: writes and lists. Deletions and egress are free. */
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
  /** The instance also works for other callers, so none of its time is idle. */
  containerMs: { what: 'time of containers', dollars: CONTAINER_SECOND / 1000, source: CONTAINERS },
  /**
   * Bytes that a container sends, at $0.025 a GB as in North America and Europe, as if responses to
   * the Worker were also billed. Bytes that Workers and R2 send are free.
   */
  containerBytes: {
    what: 'bytes sent by containers',
    dollars: (0.025 / 1e9) * 1e6,
    source: CONTAINERS,
  },
} as const satisfies Record<string, Price>;

export type Unit = keyof typeof PRICES;
/** Absent units count as 0. */
export type Units = Partial<Record<Unit, number>>;

/** Returns the dollars for a million calls with these units. */
export const dollarsPerMillion = (units: Units): number =>
  Object.entries(units).reduce(
    (sum, [unit, count]) => sum + PRICES[unit as Unit].dollars * count,
    0,
  );
