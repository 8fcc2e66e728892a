/** Measures the size of the Worker's bundle, and the CPU time of its startup. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from '../../scripts/build.ts';
import { atMost, median, type Row } from './row.ts';

const MAX_KIB = 1024;
const MAX_START_MS = 50;
/** The number of profiles. The result is their median, because a profile takes only one sample per millisecond. */
const STARTS = 7;

interface CpuProfile {
  startTime: number;
  endTime: number;
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

export async function bundleRows(): Promise<Row[]> {
  const folder = await build();
  const modules = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const bytes = modules.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, name))).byteLength,
    0,
  );
  return [
    atMost('bundle, gzipped, without WASM', bytes / 1024, MAX_KIB, 1, 'KiB'),
    atMost(
      'CPU time at start',
      median(Array.from({ length: STARTS }, startMilliseconds)),
      MAX_START_MS,
      1,
      'ms',
    ),
  ];
}

/** Returns the CPU time in the profile of `wrangler check startup`, without idle time and native code. */
function startMilliseconds(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tools-startup-'));
  const path = join(folder, 'startup.cpuprofile');
  execFileSync(
    'wrangler',
    ['check', 'startup', '--args=--containers-rollout=none', '--outfile', path],
    {
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const profile = JSON.parse(readFileSync(path, 'utf8')) as CpuProfile;
  rmSync(folder, { recursive: true });
  const idle = new Set(
    profile.nodes
      .filter(({ callFrame }) => ['(idle)', '(program)', '(root)'].includes(callFrame.functionName))
      .map(({ id }) => id),
  );
  const busy = profile.samples.reduce(
    (sum, node, index) => sum + (idle.has(node) ? 0 : (profile.timeDeltas[index] ?? 0)),
    0,
  );
  return busy / 1000;
}
