/** Bundles the Worker as `wrangler deploy` does. The bundle is reused until the sources change. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const BUNDLES = 'dist';
/** The file with the digest of the sources from which .static was generated. */
const STAMP = '.static/sources.stamp';

/** Returns the folder of the bundle for the current sources. Builds the bundle if it does not exist. */
export async function build(): Promise<string> {
  const digest = sourcesDigest();
  await writeStaticFilesOnce(digest);
  const folder = join(BUNDLES, digest);
  if (existsSync(folder)) return resolve(folder);
  mkdirSync(BUNDLES, { recursive: true });
  removeOldBundles();
  const temporary = mkdtempSync(join(BUNDLES, 'new-'));
  const result = spawnSync(
    join('node_modules', '.bin', 'wrangler'),
    ['deploy', '--dry-run', '--containers-rollout=none', '--outdir', temporary],
    { encoding: 'utf8', env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' } },
  );
  if (result.status !== 0) {
    rmSync(temporary, { recursive: true, force: true });
    throw new Error(`The Worker could not be bundled.\n${result.stdout}\n${result.stderr}`);
  }
  try {
    renameSync(temporary, folder);
  } catch (error) {
    // Another process has already built the same sources.
    if (!existsSync(folder)) throw error;
    rmSync(temporary, { recursive: true });
  }
  return resolve(folder);
}

/** Writes the static files if the sources have changed. Imports the generators only in that case. */
async function writeStaticFilesOnce(digest: string): Promise<void> {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return;
  const { writeContentFiles } = await import('./content/content-files.ts');
  const { writeSiteFiles } = await import('./static-files.ts');
  // The stamp is deleted first, so that an interrupted run is repeated.
  rmSync(STAMP, { force: true });
  writeContentFiles();
  writeSiteFiles();
  writeFileSync(STAMP, digest);
}

function removeOldBundles(): void {
  const dayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync(BUNDLES)) {
    const path = join(BUNDLES, name);
    if (statSync(path).mtimeMs < dayAgo) rmSync(path, { recursive: true, force: true });
  }
}

function sourcesDigest(): string {
  const digest = createHash('sha256');
  const sources = ['src', 'scripts/content', 'scripts/reference']
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of [
    ...sources,
    'scripts/static-files.ts',
    'scripts/site-icons.ts',
    'scripts/worker-options.ts',
    'wrangler.toml',
    'package-lock.json',
  ]) {
    digest.update(path).update('\0').update(readFileSync(path)).update('\0');
  }
  return digest.digest('hex').slice(0, 16);
}
