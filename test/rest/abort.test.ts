/** Checks that when a caller disconnects, the program that processes the call is stopped and leaves nothing behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descendantsOf } from '../support/descendants.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { makeSlowPdf } from '../support/slow-pdf.ts';
import { until } from '../support/until.ts';
import { storedBytes, storedBytesAgain } from './stored-bytes.ts';

/** A generous limit for busy machines. The merge would take even longer if it were not stopped. */
const PATIENCE_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'tools-abort-'));
const slow = join(folder, 'slow.pdf');
let service: Awaited<ReturnType<typeof startService>> | undefined;

beforeAll(async () => {
  writeFileSync(slow, makeSlowPdf());
  service = await startService({ STATE_DIR: join(folder, 'state') });
});
afterAll(async () => {
  if (service) await stopService(service.child);
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the service's qpdf processes and their working directories. */
function qpdfs(): { id: number; directory: string }[] {
  return [...descendantsOf(service!.child.pid!)]
    .filter(([, command]) => command === 'qpdf')
    .flatMap(([id]) => {
      try {
        return [{ id, directory: readlinkSync(`/proc/${id}/cwd`) }];
      } catch {
        return [];
      }
    });
}

describe('a disconnect during a slow merge', () => {
  it('kills qpdf and removes its directory and the uploads', async () => {
    const { child, baseUrl } = service!;
    const before = storedBytes(child.pid);
    const files = Array.from({ length: 6 }, () => ['-F', `files=@${slow}`]).flat();
    const url = `${baseUrl}/api/v1/tools/execute`;
    const curl = spawn('curl', ['-s', '-o', '/dev/null', '-F', 'tool=merge_pdf', ...files, url]);
    const ended = once(curl, 'exit');
    expect(await until(() => qpdfs().length > 0, PATIENCE_MS)).toBe(true);
    const [{ directory }] = qpdfs() as unknown as [{ directory: string }];
    expect(directory).toMatch(/request-/);
    const parent = join(directory, '..');
    expect(curl.exitCode).toBeNull();

    curl.kill('SIGKILL');
    await ended;
    expect(await until(() => qpdfs().length === 0, PATIENCE_MS)).toBe(true);
    expect(await until(() => readdirSync(parent).length === 0, PATIENCE_MS)).toBe(true);
    expect(await storedBytesAgain(before, child.pid)).toEqual(before);
  });

  it('leaves the service healthy', async () => {
    const health = await (await fetch(`${service!.baseUrl}/health`)).json();
    expect(health).toMatchObject({ status: 'ok' });
  });
});
