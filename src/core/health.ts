/** Checks each part of the service within a time limit. */

/** The state of a part. It is `unchecked` if a check would have started the part. */
export type PartState = 'ok' | 'degraded' | 'down' | 'unconfigured' | 'unchecked';

export interface Finding {
  state: PartState;
  detail?: unknown;
}

export interface PartHealth extends Finding {
  name: string;
  /** The duration of the check in milliseconds. */
  ms: number;
}

export interface Part {
  name: string;
  /** Checks the part. May throw if the part is down. */
  check(signal: AbortSignal): Promise<Finding>;
}

type OnError = (part: string, error: unknown) => void;

const LIMIT_MS = 1000;

/**
 * Checks all parts concurrently and never throws. A part that throws or takes more than a second is down. `onError`
 * receives the errors that parts throw.
 */
export const checkParts = (parts: readonly Part[], onError: OnError): Promise<PartHealth[]> =>
  Promise.all(parts.map((part) => checkPart(part, onError)));

async function checkPart({ name, check }: Part, onError: OnError): Promise<PartHealth> {
  const started = Date.now();
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => {
      over.abort();
      resolve({ state: 'down', detail: `no response within ${LIMIT_MS} ms` });
    }, LIMIT_MS);
  });
  // The error is not shown, because it may contain addresses and paths.
  const checked = Promise.try(check, over.signal).catch((error): Finding => {
    onError(name, error);
    return { state: 'down', detail: 'the check failed: see the log' };
  });
  const finding = await Promise.race([checked, late]);
  clearTimeout(timer);
  return { name, ...finding, ms: Date.now() - started };
}

/** Returns the worst state. Parts that are not configured or were not checked are ignored. */
export function overallState(
  parts: readonly Pick<PartHealth, 'state'>[],
): 'ok' | 'degraded' | 'down' {
  const states = new Set(parts.map(({ state }) => state));
  if (states.has('down')) return 'down';
  return states.has('degraded') ? 'degraded' : 'ok';
}
