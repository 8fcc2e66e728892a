/** Provides the secrets for a deployment: generates missing ones, and writes them to files. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The service does not work without MEDIA_SECRET, and the deployment cannot check its health without METRICS_TOKEN. */
const NEEDED = ['MEDIA_SECRET', 'METRICS_TOKEN'] as const;

/**
 * Returns the required secrets that the Worker lacks. Values from the environment take precedence over new random ones.
 */
export function missingSecrets(
  present: readonly string[],
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const missing = NEEDED.filter((name) => !present.includes(name));
  return Object.fromEntries(
    missing.map((name) => [name, environment[name] || randomBytes(32).toString('base64url')]),
  );
}

/** Calls `use` with the path of a file that only the current user can read, and deletes the file afterwards. */
export async function withSecretsFile<T>(
  secrets: Record<string, string>,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-deploy-'));
  try {
    const path = join(folder, 'secrets.json');
    writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Appends a secret that the operator needs later to a gitignored file. */
export function rememberSecret(path: string, name: string, value: string): void {
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
  appendFileSync(path, `${name}=${value}\n`);
}
