/** Runs the load generator wrk, which repeats a POST or GET request with little overhead. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Measured {
  /** The number of requests per second. */
  rate: number;
  /** The median latency in milliseconds. */
  p50: number;
  /** The 99th percentile of the latency in milliseconds. */
  p99: number;
}

interface Load {
  folder: string;
  connections: number;
  seconds: number;
  /** Lua code that is appended to the script. */
  script?: string;
  key?: string;
}

/**
 * Sends POST requests with `body`, or GET requests if it is null. Writes wrk's script to `folder`. Rejects if a status
 * is 400 or higher, or if wrk reports no rate or latency.
 */
export function wrk(
  url: URL,
  body: unknown,
  { folder, connections, seconds, script: more = '', key }: Load,
): Promise<Measured> {
  const script = join(folder, 'wrk.lua');
  const request = [
    ...(body === null
      ? []
      : [
          'wrk.method = "POST"',
          'wrk.headers["Content-Type"] = "application/json"',
          `wrk.body = [==[${JSON.stringify(body)}]==]`,
        ]),
    ...(key ? [`wrk.headers["Authorization"] = "Bearer ${key}"`] : []),
  ].join('\n');
  writeFileSync(script, `${request}\n${more}`);
  const load = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script];
  const child = spawn('wrk', [...load, url.href]);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
      const [p50, p99] = [50, 99].map((part) => percentile(output, part)) as [number, number];
      if (!(rate > 0 && p50 > 0) || output.includes('Non-2xx')) {
        reject(new Error(`wrk says: ${output}`));
      } else resolve({ rate, p50, p99 });
    });
  });
}

function percentile(output: string, part: number): number {
  const [, time, unit] = new RegExp(`${part}%\\s+([\\d.]+)(us|ms|s)\\b`).exec(output) ?? [];
  return Number(time) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN);
}
