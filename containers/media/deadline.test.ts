/** Tests deadlines for entire operations, using a program that never exits. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { withinDeadline } from './deadline.ts';
import { runProgram } from './run-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'deadline-tests-'));
const never = new AbortController().signal;
writeFileSync(join(folder, 'qpdf'), '#!/bin/sh\nsleep 986 & wait\n');
chmodSync(join(folder, 'qpdf'), 0o755);
vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const endless = (signal: AbortSignal) => runProgram('qpdf', [], { signal, timeLimitMs: 60_000 });

describe('a deadline', () => {
  it('stops the programs of the work and returns 422 with the limit', async () => {
    const started = performance.now();
    await expect(withinDeadline(300, never, endless)).rejects.toMatchObject({
      status: 422,
      code: 'tool_failed',
      message: expect.stringContaining('limit of 0.3 seconds'),
    });
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('passes on results, errors and aborts of the caller', async () => {
    expect(await withinDeadline(9999, never, async () => 1)).toBe(1);
    const error = new Error('of the work');
    await expect(withinDeadline(9999, never, () => Promise.reject(error))).rejects.toBe(error);
    await expect(withinDeadline(9999, AbortSignal.abort(error), endless)).rejects.toBe(error);
  });
});
