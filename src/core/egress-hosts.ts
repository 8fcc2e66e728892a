/** Reads `EGRESS_HOSTS`, the host names that an operator's tests serve from loopback. */

/** Maps each test host (lower case) to its loopback `host:port`. Returns null if `text` is malformed. */
export function readEgressHosts(text: string): Map<string, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const right = entries.every(
    ([, target]) =>
      typeof target === 'string' && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d{1,5}$/.test(target),
  );
  return right ? new Map(entries.map(([host, target]) => [host.toLowerCase(), target])) : null;
}

/** Whether a listening address is reachable only from this machine. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host);

/**
 * Returns the reason why a service that listens on `listensOn` must not have test hosts, or null if it can have them.
 */
export const egressHostsRefusal = (hosts: string | undefined, listensOn: string): string | null =>
  hosts && !isLoopbackHost(listensOn)
    ? 'EGRESS_HOSTS is for tests: it is refused unless the service and its media workers listen on loopback only'
    : null;
