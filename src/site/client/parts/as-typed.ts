/** Runs a tool whenever its input changes, one run at a time. */

const DELAY_MS = 150;

interface AsTyped {
  /** Schedules a run that starts when the visitor pauses. */
  soon(): void;
  /** Runs the tool immediately, because the visitor requested it. */
  now(): void;
}

/**
 * Returns a scheduler. A change during a run causes another run, and only the last result is shown.
 * @param show receives whether the visitor requested the result
 */
export function asTyped<T>(
  run: () => Promise<T>,
  show: (result: T, isRequested: boolean) => Promise<void>,
): AsTyped {
  let timer: number | undefined;
  let isRunning = false;
  let isStale = false;
  let isRequested = false;
  const start = async () => {
    clearTimeout(timer);
    isStale = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isStale) {
        isStale = false;
        const result = await run();
        if (isStale) continue;
        // The flag is reset before the result is shown, because the visitor may request another run in the meantime.
        const wasRequested = isRequested;
        isRequested = false;
        await show(result, wasRequested);
      }
    } finally {
      isRunning = false;
    }
  };
  return {
    soon: () => {
      clearTimeout(timer);
      timer = setTimeout(start, DELAY_MS);
    },
    now: () => {
      isRequested = true;
      start();
    },
  };
}
