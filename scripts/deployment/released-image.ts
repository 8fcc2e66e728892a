/** Deploys a published image of the media worker instead of building one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The configuration is in the same folder as wrangler.toml, because its paths are relative. It is gitignored. */
const CONFIG = 'wrangler.released.toml';
const BUILT = 'image = "./containers/media/Dockerfile"';

/**
 * Calls `use` with wrangler's arguments for a configuration with this image, and deletes the configuration afterwards.
 * Cloudflare Containers supports only a few registries. The configuration therefore names a Dockerfile with only a FROM
 * line, which makes wrangler copy the image to Cloudflare's registry.
 */
export async function withReleasedImage<T>(
  image: string,
  use: (config: string[]) => Promise<T>,
): Promise<T> {
  if (!/^[\w.-]+(:\d+)?(\/[\w.-]+)+(:[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image)) {
    throw new Error('--image must be REGISTRY/NAME:TAG or REGISTRY/NAME@sha256:DIGEST.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'tools-image-'));
  try {
    const dockerfile = join(folder, 'Dockerfile');
    writeFileSync(dockerfile, `FROM ${image}\n`);
    const released = `image = ${JSON.stringify(dockerfile)}`;
    writeFileSync(CONFIG, readFileSync('wrangler.toml', 'utf8').replaceAll(BUILT, released));
    return await use(['--config', CONFIG]);
  } finally {
    rmSync(CONFIG, { force: true });
    rmSync(folder, { recursive: true });
  }
}
