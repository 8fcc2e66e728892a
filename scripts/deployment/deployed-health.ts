/** Polls the health of a deployed service. */
import { setTimeout } from 'node:timers/promises';

export interface HealthPart {
  name: string;
  state: string;
}

export interface DeployedHealth {
  status: string;
  version: string;
  /** Empty if the request was sent without the METRICS_TOKEN. */
  parts: HealthPart[];
  /** True if no component is down. A degraded component counts as healthy. */
  isHealthy: boolean;
}

/**
 * The maximum number of attempts. A new custom domain takes minutes to get its certificate, and a new image takes
 * minutes to start.
 */
const ATTEMPTS = 40;
const PAUSE_MS = 15_000;

/**
 * Requests the health every 15 seconds, up to 40 times, until the service is healthy. Returns the last result. Throws
 * if the last request fails.
 */
export async function deployedHealth(
  baseUrl: string,
  token: string | undefined,
  pause: () => Promise<unknown> = () => setTimeout(PAUSE_MS),
): Promise<DeployedHealth> {
  const url = `${baseUrl}/health${token ? '?deep=1' : ''}`;
  const headers = new Headers(token ? { Authorization: `Bearer ${token}` } : {});
  for (let attempt = 1; ; attempt += 1) {
    const { health, failure } = await requestHealth(url, headers);
    if (health && (health.isHealthy || attempt === ATTEMPTS)) return health;
    if (attempt === ATTEMPTS) throw new Error(`${url} returned no health report: ${failure}`);
    await pause();
  }
}

async function requestHealth(
  url: string,
  headers: Headers,
): Promise<{ health?: DeployedHealth; failure?: string }> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
    const text = await response.text();
    if (!response.ok) return { failure: `${response.status} ${text.slice(0, 300)}` };
    return { health: checked(JSON.parse(text)) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { failure: cause instanceof Error ? `${message} (${cause.message})` : message };
  }
}

function checked(answer: {
  status: string;
  version: string;
  parts?: HealthPart[];
}): DeployedHealth {
  const { status, version, parts = [] } = answer;
  const states = [status, ...parts.map(({ state }) => state)];
  return { status, version, parts, isHealthy: !states.includes('down') };
}
