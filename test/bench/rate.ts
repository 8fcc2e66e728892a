/** Requests per second of encode_base64 against a bare Hono route, both in workerd without anything in front. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { freePort } from '../../scripts/media-worker.ts';
import { startWorker } from '../../scripts/worker.ts';
import { atLeast, median, type Row } from './row.ts';

const CONNECTIONS = 16;
const ROUNDS = 7;
const SECONDS = 3;
const CONFIG = 'test/bench/bare-worker/wrangler.toml';
const BODY = '{"tool":"encode_base64","parameters":{"text":"hello world"}}';

export async function rateRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-rate-'));
  const script = join(folder, 'post.lua');
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = '${BODY}'\n`,
  );
  const ours = await startWorker(
    { BASE_URL: 'http://localhost', MEDIA_URL: 'http://127.0.0.1:1', MEDIA_SECRET: 'x'.repeat(32) },
    join(folder, 'state'),
  );
  const bare = await startBare(join(folder, 'bundle'));
  const rates = { ours: [] as number[], bare: [] as number[] };
  await load(ours.url, script);
  await load(bare.url, script);
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes, so that neither always follows the other.
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const name of order) {
      rates[name].push(await load(name === 'ours' ? ours.url : bare.url, script));
    }
  }
  await Promise.all([ours.stop(), bare.stop()]);
  rmSync(folder, { recursive: true });
  return [
    atLeast(
      'encode_base64 over REST / bare Hono route',
      median(rates.ours),
      median(rates.bare),
      0.8,
      '/s',
    ),
  ];
}

async function startBare(folder: string): Promise<{ url: URL; stop(): Promise<void> }> {
  execFileSync('wrangler', ['deploy', '--dry-run', '--config', CONFIG, '--outdir', folder], {
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
  });
  const port = await freePort();
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
          unsafeDirectSockets: [{ host: '127.0.0.1', port }],
        },
      ],
    }),
  );
  await miniflare.ready;
  return { url: new URL(`http://127.0.0.1:${port}`), stop: () => miniflare.dispose() };
}

/** Requests per second that wrk counts. Throws where an answer is not 2xx. */
function load(url: URL, script: string): Promise<number> {
  const wrk = spawn('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    '-s',
    script,
    `${url.origin}/api/v1/tools/execute`,
  ]);
  let output = '';
  wrk.stdout.on('data', (text) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    wrk.on('error', reject);
    wrk.on('exit', () => {
      const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1];
      if (!rate || output.includes('Non-2xx')) reject(new Error(`wrk says: ${output}`));
      else resolve(Number(rate));
    });
  });
}
