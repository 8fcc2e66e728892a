/**
 * Checks that the service counts every visit to a short link at 500 visits per second, including visits just before
 * shutdown.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorker } from '../../scripts/worker.ts';
import { SETTINGS } from './rate.ts';
import type { Row } from './row.ts';

const PER_SECOND = 500;
const SECONDS = 10;
const CODES = 50;

export async function linkRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-links-'));
  const settings = { ...SETTINGS, RATE_LIMITS: 'off' };
  const worker = await startWorker(settings, join(folder, 'state'));
  const codes = await Promise.all(Array.from({ length: CODES }, () => shorten(worker.url)));
  const { redirected, seconds } = await visit(worker.url, codes);
  await worker.stop();
  const again = await startWorker(settings, join(folder, 'state'));
  const database = await again.miniflare.getD1Database('LINKS');
  const counted = await database
    .prepare('SELECT sum(visits) AS visits FROM short_links')
    .first<number>('visits');
  await again.stop();
  rmSync(folder, { recursive: true });
  const rate = redirected / seconds;
  return [
    {
      name: `visits counted at ${rate.toFixed(0)} a second`,
      ours: `${counted}`,
      theirs: `${redirected}`,
      ratio: ((counted ?? 0) / redirected).toFixed(4),
      goal: '1',
      reached: counted === redirected && rate > PER_SECOND * 0.95,
    },
  ];
}

async function shorten(url: URL): Promise<string> {
  const answer = await fetch(new URL('/api/v1/tools/execute', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tool: 'shorten_url', parameters: { url: 'https://example.com/' } }),
  });
  return ((await answer.json()) as { code: string }).code;
}

/** Sends visits at a constant rate. Returns how many were redirected, and the total duration. */
async function visit(url: URL, codes: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const visits: Promise<boolean>[] = [];
  const start = performance.now();
  while (visits.length < PER_SECOND * SECONDS) {
    const due = ((performance.now() - start) / 1000) * PER_SECOND;
    while (visits.length < due && visits.length < PER_SECOND * SECONDS) {
      visits.push(isRedirected(new URL(codes[visits.length % codes.length]!, url), agent));
    }
    await sleep(5);
  }
  const redirected = (await Promise.all(visits)).filter(Boolean).length;
  agent.destroy();
  return { redirected, seconds: (performance.now() - start) / 1000 };
}

const isRedirected = (url: URL, agent: Agent) =>
  new Promise<boolean>((resolve, reject) => {
    get(url, { agent }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 302));
    }).on('error', reject);
  });
