/** The media worker as a plain process at a known address. */
import type { SendToMedia } from './media-client.ts';

const HEALTH_TIMEOUT_MS = 2000;

export const toProcess =
  (address: string): SendToMedia =>
  (path, init) =>
    fetch(address + path, init);

/** The programs that the media worker lacks, each with the command that brings it. */
export async function missingPrograms(address: string): Promise<string[]> {
  try {
    const response = await fetch(`${address}/health`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    const { programs } = (await response.json()) as { programs: Record<string, string | null> };
    return Object.keys(programs)
      .filter((name) => programs[name] === null)
      .map((name) => `${name} (apt-get install ${name})`);
  } catch {
    return ['media worker (it does not answer; npm start starts it)'];
  }
}
