/** Implements W3C Trace Context. A request continues the trace in its `traceparent` header, or starts a new trace. */

/** Matches version, trace, span and flags. Later versions may append fields. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

export class Trace {
  /** The trace ID as 32 hexadecimal digits. */
  readonly id: string;
  /** The header that we send to upstreams. It contains a new span. */
  readonly traceparent: string;

  /** `sampled` states whether we log this trace. The caller's flag is ignored, because logs cost money. */
  constructor(received: string | null, sampled: boolean) {
    this.id = traceIdOf(received) ?? randomHex(16);
    this.traceparent = `00-${this.id}-${randomHex(8)}-${sampled ? '01' : '00'}`;
  }
}

/** Returns the trace ID in a `traceparent`, or undefined if the header is malformed. */
export function traceIdOf(traceparent: string | null | undefined): string | undefined {
  const [, version, trace, span, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!trace || !span || version === 'ff' || (version === '00' && more)) return undefined;
  return /[^0]/.test(trace) && /[^0]/.test(span) ? trace : undefined;
}

/** Whether the sender of a `traceparent` logs the trace. */
export const isSampled = (traceparent: string | undefined): boolean =>
  traceIdOf(traceparent) !== undefined &&
  (Number.parseInt(traceparent!.slice(53, 55), 16) & 1) === 1;

const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
