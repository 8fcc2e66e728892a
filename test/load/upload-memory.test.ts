/**
 * Checks that four concurrent uploads of 50 MB increase the memory of workerd by at most 64 MB. An implementation with
 * formData() would exceed that.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, stopService } from '../support/global-setup.ts';
import { residentOf, workerdOf } from '../support/workerd-process.ts';

const MB = 2 ** 20;
const BOUND_MB = 64;
const folder = mkdtempSync(join(tmpdir(), 'tools-memory-'));
const paths = [1, 2, 3, 4].map((number) => join(folder, `${number}.zip`));
const digests: string[] = [];

beforeAll(() => {
  const noise = randomBytes(50 * MB);
  for (const path of paths) {
    const end = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
    const bytes = Buffer.concat([end, noise.subarray(end.length)]);
    // Random bytes at the start make each file unique, so that its digest identifies it.
    bytes.set(randomBytes(64), end.length);
    digests.push(createHash('sha256').update(bytes).digest('hex'));
    writeFileSync(path, bytes);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const upload = async (url: string, path: string): Promise<string> => {
  const form = ['-F', 'tool=upload_file', '-F', `file=@${path}`];
  return (await promisify(execFile)('curl', ['-sS', '--fail-with-body', ...form, url])).stdout;
};

/** Runs all uploads concurrently. Returns their responses and the increase in memory in MB. */
async function measure(pid: number, url: string): Promise<{ rise: number; answers: string[] }> {
  await settle(pid);
  const idle = residentOf(pid);
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentOf(pid));
  }, 3);
  const answers = await Promise.all(paths.map((path) => upload(url, path)));
  clearInterval(sampling);
  return { rise: peak - idle, answers };
}

/** Waits until the memory usage is stable. */
async function settle(pid: number): Promise<void> {
  let before = residentOf(pid);
  for (let calm = 0; calm < 5; ) {
    await pause(100);
    const now = residentOf(pid);
    calm = Math.abs(now - before) < 0.5 ? calm + 1 : 0;
    before = now;
  }
}

describe('four concurrent uploads of 50 MB', () => {
  let service: ChildProcess | undefined;
  let control: Miniflare | undefined;
  afterAll(async () => {
    if (service) await stopService(service);
    await control?.dispose();
  });

  it(`raise the memory of the service by at most ${BOUND_MB} MB, and arrive unchanged`, async () => {
    const started = await startService({ STATE_DIR: join(folder, 'state') });
    service = started.child;
    const pid = workerdOf(service.pid!);
    const { rise, answers } = await measure(pid, `${started.baseUrl}/api/v1/tools/execute`);
    console.log(`service: ${rise.toFixed(1)} MB`);
    for (const [index, answer] of answers.entries()) {
      const { url, size } = JSON.parse(answer);
      expect(size).toBe(50 * MB);
      const response = await fetch(url);
      const hash = createHash('sha256');
      for await (const chunk of response.body!) hash.update(chunk);
      expect(hash.digest('hex')).toBe(digests[index]);
    }
    expect(rise).toBeLessThanOrEqual(BOUND_MB);
  });

  it('raise the memory of a Worker that reads them with formData() more', async () => {
    // scripts/worker.ts sets the same flags for the service.
    expect(process.env.MINIFLARE_WORKERD_V8_FLAGS).toBeUndefined();
    const source = readFileSync('scripts/worker.ts', 'utf8');
    const flags = /V8_FLAGS = '([^']+)'/.exec(source)?.[1];
    expect(flags).toBeDefined();
    process.env.MINIFLARE_WORKERD_V8_FLAGS = flags;
    control = new Miniflare(
      convertV4MiniflareOptions({
        host: '127.0.0.1',
        port: 0,
        cf: false,
        resourcePersistencePath: join(folder, 'control'),
        workers: [
          {
            name: 'control',
            compatibilityDate: '2026-10-20',
            modules: true,
            r2Buckets: ['FILES'],
            script: `export default { async fetch(request, env) {
              const file = (await request.formData()).get('file');
              const { size } = await env.FILES.put(crypto.randomUUID(), file);
              return Response.json({ size });
            } }`,
          },
        ],
      }),
    );
    const url = await control.ready;
    delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
    const { rise, answers } = await measure(workerdOf(process.pid), url.href);
    console.log(`formData(): ${rise.toFixed(1)} MB`);
    for (const answer of answers) expect(JSON.parse(answer).size).toBe(50 * MB);
    expect(rise).toBeGreaterThan(BOUND_MB * 1.5);
  });
});
