/** Calls as data points of Workers Analytics Engine, one each. docs/observability.md lists the columns. */
import type { CallEvent, CallSink } from '../core/call-record.ts';

/** `blob1`, `blob2`, … Append only: the columns of stored data points do not change. */
export const BLOBS = [
  ...(['tool', 'surface', 'status', 'code'] as const),
  ...(['caller', 'provider', 'colo', 'requestId'] as const),
] satisfies (keyof CallEvent)[];

/** `double1`, `double2`, …; append only. */
export const DOUBLES = [
  ...(['durationMs', 'bytesIn', 'bytesOut', 'mediaWaitMs', 'mediaRunMs'] as const),
] satisfies (keyof CallEvent)[];

export class AnalyticsEngine implements CallSink {
  readonly #dataset: AnalyticsEngineDataset;

  constructor(dataset: AnalyticsEngineDataset) {
    this.#dataset = dataset;
  }

  write(event: CallEvent): void {
    this.#dataset.writeDataPoint({
      // Under load, data points are sampled by their index, so that rare tools keep all of theirs.
      indexes: [event.tool],
      blobs: BLOBS.map((name) => String(event[name])),
      doubles: DOUBLES.map((name) => event[name]),
    });
  }
}
