/** Writes the records of calls to the log, to Workers Analytics Engine and to the metrics of this isolate. */
import type { CallEvent, CallSink, CallSinks } from '../core/call-record.ts';
import { counter, type Metric, type Sample } from '../core/prometheus.ts';
import { log } from '../lib/log.ts';

/**
 * The limit on logged calls per second. Without it, a caller's failing calls could fill a disk or cause costs. The
 * metrics still count every call.
 */
const LINES_PER_SECOND = 50;

/** Logs the failed calls and a sample of the successful calls, up to `LINES_PER_SECOND`. */
export class CallLog implements CallSink {
  #second = 0;
  #lines = 0;
  #omitted = 0;

  write(event: CallEvent): void {
    if (event.status < 400 && !event.sampled) return;
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines > LINES_PER_SECOND) {
      this.#omitted += 1;
      return;
    }
    const { requestId, trace, tool, surface, status, code, durationMs, bytesIn, bytesOut } = event;
    const { mediaWaitMs, mediaRunMs, provider, colo, caller } = event;
    log(event.status >= 500 ? 'error' : 'info', 'call', {
      requestId,
      traceId: trace.id,
      tool,
      surface,
      status,
      ...(code !== '' && { code }),
      durationMs,
      bytesIn,
      bytesOut,
      ...(mediaRunMs > 0 && { mediaWaitMs, mediaRunMs }),
      ...(provider !== '' && { provider }),
      ...(colo !== '' && { colo }),
      caller,
      ...(this.#omitted > 0 && { omitted: this.#omitted }),
    });
    this.#omitted = 0;
  }
}

/**
 * The columns `blob1`, `blob2`, … New names must be appended, because stored data points refer to columns by position.
 */
export const BLOBS = [
  ...(['tool', 'surface', 'status', 'code'] as const),
  ...(['caller', 'provider', 'colo', 'requestId'] as const),
] satisfies (keyof CallEvent)[];

/**
 * The columns `double1`, `double2`, … New names must be appended. `omitted` is the number of unsampled calls that the
 * point also represents.
 */
export const DOUBLES = [
  ...(['durationMs', 'bytesIn', 'bytesOut', 'mediaWaitMs', 'mediaRunMs', 'omitted'] as const),
] satisfies (keyof CallEvent | 'omitted')[];

/** The number of ordinary calls per data point. A data point costs a sixth as much as an ordinary call. */
const ORDINARY_PER_POINT = 10;

/** Whether a call succeeded within a second without the media worker or a model. Nearly all calls do. */
const isOrdinary = ({ status, durationMs, mediaRunMs, provider }: CallEvent): boolean =>
  status < 400 && durationMs < 1000 && mediaRunMs === 0 && provider === '';

/**
 * Writes calls as data points: a random tenth of the ordinary calls, and all calls that are not ordinary.
 * docs/observability.md lists the columns.
 */
export const analyticsEngine = (
  dataset: AnalyticsEngineDataset,
  random: () => number = () => Math.random(),
): CallSink => ({
  write: (event) => {
    const weight = isOrdinary(event) ? ORDINARY_PER_POINT : 1;
    if (random() * weight >= 1) return;
    dataset.writeDataPoint({
      // Under load, Analytics Engine samples data points by their index. With the tool as the index, rarely used tools
      // lose no points.
      indexes: [event.tool],
      blobs: BLOBS.map((name) => String(event[name])),
      doubles: DOUBLES.map((name) => (name === 'omitted' ? weight - 1 : event[name])),
    });
  },
});

/** Passes each event to every sink. If a sink throws, the call must not fail. */
export const allSinks = (sinks: readonly CallSink[], sampleRate: number): CallSinks => ({
  sampleRate,
  write(event) {
    for (const sink of sinks) {
      try {
        sink.write(event);
      } catch (error) {
        // The other sinks must still record the call.
        log('error', 'call-not-recorded', { requestId: event.requestId, cause: error });
      }
    }
  },
});

/** The upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 120];
/**
 * The limit on series, in case a label becomes unbounded. There are far fewer combinations of tools, surfaces and
 * statuses.
 */
const MAX_SERIES = 2000;

/** The calls with the same tool, surface and status. */
interface Series {
  labels: { tool: string; surface: string; status: string };
  calls: number;
  seconds: number;
  /** The number of calls in each bucket. Calls above the last bound are counted only in `calls`. */
  buckets: number[];
  bytesIn: number;
  bytesOut: number;
  mediaWaitMs: number;
  mediaRunMs: number;
}

/** Counts the calls of this isolate for GET /metrics. With `npm start`, there is only one isolate. */
export class CallMetrics implements CallSink {
  readonly #series = new Map<string, Series>();
  readonly #codes = new Map<string, number>();
  readonly #callers = new Map<string, number>();
  readonly #providers = new Map<string, number>();

  write(event: CallEvent): void {
    const series = this.#seriesOf(event);
    const seconds = event.durationMs / 1000;
    series.calls += 1;
    series.seconds += seconds;
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]! += 1;
    series.bytesIn += event.bytesIn;
    series.bytesOut += event.bytesOut;
    series.mediaWaitMs += event.mediaWaitMs;
    series.mediaRunMs += event.mediaRunMs;
    increment(this.#callers, event.caller);
    if (event.code !== '') increment(this.#codes, event.code);
    if (event.provider !== '') increment(this.#providers, event.provider);
  }

  /** Returns the metrics collected so far. */
  collect(): Metric[] {
    const series = [...this.#series.values()];
    const each = (value: (one: Series) => number): Sample[] =>
      series.map((one) => ({ labels: one.labels, value: value(one) }));
    const nonZero = (value: (one: Series) => number) =>
      each(value).filter(({ value }) => value > 0);
    return [
      counter(
        'tools_calls_total',
        'Calls by tool, surface and status.',
        each(({ calls }) => calls),
      ),
      {
        name: 'tools_call_duration_seconds',
        type: 'histogram',
        help: 'Time until the response headers, or until the end of calls that report progress.',
        samples: series.flatMap(histogram),
      },
      counter(
        'tools_call_received_bytes_total',
        'Bytes of requests and of files fetched from links.',
        nonZero(({ bytesIn }) => bytesIn),
      ),
      counter(
        'tools_call_sent_bytes_total',
        'Bytes of results of known length.',
        nonZero(({ bytesOut }) => bytesOut),
      ),
      counter(
        'tools_media_wait_seconds_total',
        'Time that calls spent in a media worker queue.',
        nonZero(({ mediaWaitMs }) => mediaWaitMs / 1000),
      ),
      counter(
        'tools_media_run_seconds_total',
        'Time that calls spent in the media worker, excluding its queue.',
        nonZero(({ mediaRunMs }) => mediaRunMs / 1000),
      ),
      counter(
        'tools_callers_total',
        'Calls by caller type: anonymous, trial or account.',
        labeled('caller', this.#callers),
      ),
      counter('tools_errors_total', 'Failed calls by error code.', labeled('code', this.#codes)),
      counter(
        'tools_model_calls_total',
        'Calls answered by a model provider.',
        labeled('provider', this.#providers),
      ),
    ];
  }

  #seriesOf({ tool, surface, status }: CallEvent): Series {
    const name = `${tool} ${surface} ${status}`;
    const known = this.#series.get(name);
    if (known) return known;
    if (this.#series.size >= MAX_SERIES && tool !== 'overflow') {
      return this.#seriesOf({ tool: 'overflow', surface: 'rest', status: 0 } as CallEvent);
    }
    const series: Series = {
      labels: { tool, surface, status: String(status) },
      calls: 0,
      seconds: 0,
      buckets: BUCKETS.map(() => 0),
      bytesIn: 0,
      bytesOut: 0,
      mediaWaitMs: 0,
      mediaRunMs: 0,
    };
    this.#series.set(name, series);
    return series;
  }
}

const increment = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

/** Returns one sample for each value of the label. */
export const labeled = (label: string, counts: ReadonlyMap<string, number>): Sample[] =>
  [...counts].map(([text, value]) => ({ labels: { [label]: text }, value }));

/** Converts the counts per bucket to cumulative counts, which Prometheus requires. */
function histogram({ labels, calls, seconds, buckets }: Series): Sample[] {
  let below = 0;
  const samples = BUCKETS.map((bound, index): Sample => {
    below += buckets[index]!;
    return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...samples,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: calls },
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: calls },
  ];
}
