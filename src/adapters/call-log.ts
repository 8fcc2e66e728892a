/** Logs calls: every failure, and a sample of the others. */
import type { CallEvent, CallSink } from '../core/call-record.ts';
import { log } from '../lib/log.ts';

/** A caller who causes failures must not fill a disk, or cause costs. The metrics still count every call. */
const LINES_PER_SECOND = 50;

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
