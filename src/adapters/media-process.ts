/** Connects to a media worker that runs as a plain process at a known address. */
import type { SendToInstance } from './media-fleet.ts';

const HEALTH_TIMEOUT_MS = 2000;

export const toProcess =
  (address: string): SendToInstance =>
  (path, init) =>
    fetch(address + path, init);

/**
 * Returns the programs that the media workers lack, each with the command that installs it. The list also contains the
 * media workers that do not respond.
 */
export async function missingPrograms(addresses: readonly string[]): Promise<string[]> {
  const missing = await Promise.all(
    addresses.map(async (address) => {
      const where = addresses.length > 1 ? ` at ${new URL(address).host}` : '';
      return (await missingAt(address)).map((text) => text + where);
    }),
  );
  return missing.flat();
}

async function missingAt(address: string): Promise<string[]> {
  try {
    const response = await fetch(`${address}/health`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    const { missing } = (await response.json()) as {
      missing: { program: string; package: string }[];
    };
    return missing.map((lack) => `${lack.program} (apt-get install ${lack.package})`);
  } catch {
    return ['media worker (not responding; npm start starts it)'];
  }
}
