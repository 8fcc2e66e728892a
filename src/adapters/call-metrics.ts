/** Counts the calls of this isolate for GET /metrics. With `npm start` there is only one isolate. */
import type { CallEvent, CallSink } from '../core/call-record.ts';
import { counter, type Metric, type Sample } from '../core/prometheus.ts';

/** Upper bounds in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 120];
/** Tools, surfaces and statuses are few. This guards the memory if a later change makes one of them unbounded. */
const MOST_SERIES = 2000;

/** The calls of one tool, surface and status. */
interface Series {
  labels: { tool: string; surface: string; status: string };
  calls: number;
  seconds: number;
  /** The calls in each bucket, those over the last bound left out. */
  buckets: number[];
  bytesIn: number;
  bytesOut: number;
  mediaWaitMs: number;
  mediaRunMs: number;
}

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

  /** The metrics so far. */
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
        help: 'Time until the head of the response; for calls with progress, until their end.',
        samples: series.flatMap(histogram),
      },
      counter(
        'tools_call_received_bytes_total',
        'Bytes of requests, and of files that were read by link.',
        nonZero(({ bytesIn }) => bytesIn),
      ),
      counter(
        'tools_call_sent_bytes_total',
        'Bytes of results whose length was known.',
        nonZero(({ bytesOut }) => bytesOut),
      ),
      counter(
        'tools_media_wait_seconds_total',
        'Time that calls spent in a queue of the media worker.',
        nonZero(({ mediaWaitMs }) => mediaWaitMs / 1000),
      ),
      counter(
        'tools_media_run_seconds_total',
        'Time that calls spent in the media worker, without its queue.',
        nonZero(({ mediaRunMs }) => mediaRunMs / 1000),
      ),
      counter(
        'tools_callers_total',
        'Calls by the kind of caller: anonymous, trial or account.',
        labelled('caller', this.#callers),
      ),
      counter('tools_errors_total', 'Failed calls by error code.', labelled('code', this.#codes)),
      counter(
        'tools_model_calls_total',
        'Calls that a model provider answered.',
        labelled('provider', this.#providers),
      ),
    ];
  }

  #seriesOf({ tool, surface, status }: CallEvent): Series {
    const name = `${tool} ${surface} ${status}`;
    const known = this.#series.get(name);
    if (known) return known;
    if (this.#series.size >= MOST_SERIES && tool !== 'overflow') {
      return this.#seriesOf({ tool: 'overflow', surface: 'rest', status: 0 } as CallEvent);
    }
    const series: Series = {
      labels: { tool, surface, status: String(status) },
      ...{ calls: 0, seconds: 0, buckets: BUCKETS.map(() => 0) },
      ...{ bytesIn: 0, bytesOut: 0, mediaWaitMs: 0, mediaRunMs: 0 },
    };
    this.#series.set(name, series);
    return series;
  }
}

const increment = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

/** One sample for each value of a label. */
export const labelled = (label: string, counts: ReadonlyMap<string, number>): Sample[] =>
  [...counts].map(([text, value]) => ({ labels: { [label]: text }, value }));

/** Buckets are cumulative. */
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
