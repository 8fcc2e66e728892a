/** Tests the limits on programs, using scripts that replace the real programs. */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type Call, withCall } from './current-call.ts';
import { ProgramFailure, shortReason } from './program-failure.ts';
import { type RunOptions, runProgram } from './run-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-program-tests-'));
const signal = new AbortController().signal;
vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
vi.stubEnv('MEDIA_SECRET', 'not for programs');
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs this shell script in place of qpdf. */
function script(text: string, options: Partial<RunOptions> = {}) {
  const path = join(folder, 'qpdf');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return runProgram('qpdf', ['a b', '$(id)'], { signal, timeLimitMs: 120_000, ...options });
}

describe('a program', () => {
  it('gets its arguments unchanged without a shell, and none of our environment', async () => {
    const { stdout } = await script('printf "%s|" "$@"; echo "$MEDIA_SECRET."');
    expect(stdout.toString()).toBe('a b|$(id)|.\n');
  });

  it('killed by a signal is reported as out of memory only for SIGABRT or an allocation error', async () => {
    const lacksMemory = async (text: string) => {
      const failure = await script(text).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProgramFailure);
      return (failure as ProgramFailure).lacksMemory;
    };
    expect(await lacksMemory('kill -KILL $$')).toBe(false);
    expect(await lacksMemory('exit 1')).toBe(false);
    expect(await lacksMemory('kill -ABRT $$')).toBe(true);
    expect(await lacksMemory('echo "x: Cannot allocate memory" >&2; exit 1')).toBe(true);
    expect(await lacksMemory('echo "RangeError: Array buffer allocation failed" >&2; exit 1')).toBe(
      true,
    );
  });

  it('runs at a lower priority than the server', async () => {
    // The priority is set shortly after the program starts, so the script waits for the change.
    await script('until [ "$(nice)" -ge 5 ]; do sleep 0.05; done');
  });

  it.runIf(existsSync('/proc/self/autogroup'))('runs in a session of lower priority', async () => {
    await script('until grep -q "nice 5" /proc/self/autogroup; do sleep 0.05; done');
  });

  it('fails when it exceeds its memory limit', async () => {
    const hungry = 'head -c 300000000 /dev/zero | tail -c 300000000 > /dev/null';
    await script(hungry);
    await expect(script(hungry, { memoryBytes: 100e6 })).rejects.toBeInstanceOf(ProgramFailure);
  });

  it('is stopped after its CPU seconds even if it ignores the signal, and is charged for them', async () => {
    for (const loop of ['while :; do :; done', 'trap "" XCPU; while :; do :; done']) {
      const call: Call = { caller: undefined, cpuSeconds: 0 };
      const running = withCall(call, () => script(loop, { cpuSeconds: 1, timeLimitMs: 60_000 }));
      await expect(running).rejects.toMatchObject({
        status: 422,
        message:
          'qpdf did not finish within its limit of 1 CPU seconds. Send a simpler or smaller file.',
      });
      // The kernel counts CPU time in ticks, so the value is approximate.
      expect(call.cpuSeconds).toBeGreaterThan(0.5);
      expect(call.cpuSeconds).toBeLessThan(2.5);
    }
  });

  it('is charged for the CPU time that it and its children used before it was killed', async () => {
    const call: Call = { caller: undefined, cpuSeconds: 0 };
    const gone = new AbortController();
    const loops = '(while :; do :; done) & echo started; while :; do :; done';
    const running = withCall(call, () =>
      script(loops, { signal: gone.signal, onOutput: () => gone.abort(new Error('gone')) }),
    );
    await expect(running).rejects.toThrow('gone');
    expect(call.cpuSeconds).toBeLessThan(10);
    const spent: Call = { caller: undefined, cpuSeconds: 0 };
    await withCall(spent, () => script('i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done'));
    expect(spent.cpuSeconds).toBeGreaterThan(0.05);
  });

  it('is stopped when its output is unbounded', async () => {
    await expect(script('yes')).rejects.toMatchObject({ status: 422 });
  });

  it('reports output while it runs', async () => {
    const heard: string[] = [];
    const path = join(folder, 'heard');
    await script(`echo 1; while [ ! -e ${path} ]; do sleep 0.05; done; echo 2`, {
      onOutput: (piece) => {
        heard.push(`${piece}`);
        writeFileSync(path, '');
      },
    });
    expect(heard).toEqual(['1\n', '2\n']);
  });
});

it('shortReason returns the last line of output without paths', () => {
  expect(shortReason('started\nqpdf: /var/media/x/input-0: file is damaged\n')).toBe(
    'file is damaged',
  );
  const repeated = 'Error while decoding stream #0:1\n    Last message repeated 5571 times\n';
  expect(shortReason(repeated)).toBe('Error while decoding stream #0:1');
  expect(shortReason('[out#0/mp4 @ 0x5581af3c] [enc:libx264 @ 0x5581b0] Invalid argument')).toBe(
    'Invalid argument',
  );
  expect(shortReason("file:/var/x/a.mp4: Input/output error in '/var/x/b'")).toBe(
    "Input/output error in 'the file'",
  );
  expect(shortReason('')).toBe('no reason was given');
});
