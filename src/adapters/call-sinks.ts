/** Where the record of each call goes besides the metrics: to the log and to Workers Analytics Engine. */
import type { CallEvent, CallSink, CallSinks } from '../core/call-record.ts';
import { log } from '../lib/log.ts';

/** A caller who causes failures must not fill a disk, or cause costs. The metrics still count every call. */
const LINES_PER_SECOND = 50;

/** Logs calls: every failure, and a sample of the others. */
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
      ...{ requestId, traceId: trace.id, tool, surface, status },
      ...(code !== '' && { code }),
      ...{ durationMs, bytesIn, bytesOut },
      ...(mediaRunMs > 0 && { mediaWaitMs, mediaRunMs }),
      ...(provider !== '' && { provider }),
      ...(colo !== '' && { colo }),
      caller,
      ...(this.#omitted > 0 && { omitted: this.#omitted }),
    });
    this.#omitted = 0;
  }
}

/** `blob1`, `blob2`, … Append only: the columns of stored data points do not change. */
export const BLOBS = [
  ...(['tool', 'surface', 'status', 'code'] as const),
  ...(['caller', 'provider', 'colo', 'requestId'] as const),
] satisfies (keyof CallEvent)[];

/** `double1`, `double2`, …; append only. */
export const DOUBLES = [
  ...(['durationMs', 'bytesIn', 'bytesOut', 'mediaWaitMs', 'mediaRunMs'] as const),
] satisfies (keyof CallEvent)[];

/** Calls as data points, one each. docs/observability.md lists the columns. */
export const analyticsEngine = (dataset: AnalyticsEngineDataset): CallSink => ({
  write: (event) =>
    dataset.writeDataPoint({
      // Under load, data points are sampled by their index, so that rare tools keep all of theirs.
      indexes: [event.tool],
      blobs: BLOBS.map((name) => String(event[name])),
      doubles: DOUBLES.map((name) => event[name]),
    }),
});

/** Passes each event to every sink. A sink that throws must not fail the call. */
export const allSinks = (sinks: readonly CallSink[], sampleRate: number): CallSinks => ({
  sampleRate,
  write(event) {
    for (const sink of sinks) {
      try {
        sink.write(event);
      } catch (error) {
        // The other sinks still count the call.
        log('error', 'call-not-recorded', { requestId: event.requestId, cause: error });
      }
    }
  },
});
