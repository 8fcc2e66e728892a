import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { offerBrowser } from '../../scripts/browser.ts';

const CONFIG = 'test/start/browser-worker/wrangler.toml';

it('renders a page with Debian’s Chromium through the browser binding of Miniflare', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-browser-'));
  execFileSync('wrangler', ['deploy', '--dry-run', '--config', CONFIG, '--outdir', folder], {
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
  });
  offerBrowser();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIG);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      workers: [
        {
          ...workerOptions,
          modulesRoot: folder,
          modules: [{ type: 'ESModule', path: join(folder, 'worker.js') }],
        },
      ],
    }),
  );
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    expect(await response.json()).toMatchObject({
      version: expect.stringMatching(/Chrom/),
      title: 'by script',
      signature: 'PNG',
    });
  } finally {
    await miniflare.dispose();
    rmSync(folder, { recursive: true });
  }
});
