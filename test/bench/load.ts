/** Calls five tools of the media worker for two minutes with eight concurrent callers. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, stopService } from '../support/global-setup.ts';
import {
  callAlternately,
  mediaCalls,
  mediaWorkerOf,
  programsOf,
  requestsLeft,
} from '../support/media-load.ts';
import type { Row } from './row.ts';

const CALLERS = 8;
const MINUTES = 2;
const MAX_GIGABYTES = 1.5;

export async function loadRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-bench-'));
  const workDirectory = join(folder, 'work');
  const calls = mediaCalls(join(folder, 'files'));
  const service = await startService({ STATE_DIR: join(folder, 'state'), WORK_DIR: workDirectory });
  try {
    const { pid } = mediaWorkerOf(service.child.pid!)!;
    const seen = await callAlternately(service.baseUrl, pid, calls, CALLERS, {
      milliseconds: MINUTES * 60_000,
    });
    await sleep(3000);
    const left = requestsLeft(workDirectory).length + programsOf(pid).length;
    const row = (name: string, value: string, goal: string, reached: boolean): Row => ({
      name: `${CALLERS} callers, ${MINUTES} minutes: ${name}`,
      theirs: '',
      ratio: '',
      ours: value,
      goal,
      reached,
    });
    const gigabytes = seen.mostResidentBytes / 1024 ** 3;
    return [
      row('failed calls', `${seen.failures.length}`, '0', seen.failures.length === 0),
      row('served', `${seen.served}`, '> 0', seen.served > 0),
      row('503 with Retry-After', `${seen.busy}`, 'any', true),
      row('memory', `${gigabytes.toFixed(2)} GB`, `< ${MAX_GIGABYTES}`, gigabytes < MAX_GIGABYTES),
      row('files and processes left', `${left}`, '0', left === 0),
    ];
  } finally {
    await stopService(service.child);
    rmSync(folder, { recursive: true });
  }
}
