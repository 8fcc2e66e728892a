/** Handles the signals that shut down the service gracefully. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `make`, and then removes the signal handlers that `make` added. */
export function withoutNewHandlers<T>(make: () => T): T {
  const handlers = END_SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const made = make();
  for (const [signal, earlier] of handlers) {
    for (const handler of process.listeners(signal)) {
      if (!earlier.includes(handler)) process.off(signal, handler);
    }
  }
  return made;
}
