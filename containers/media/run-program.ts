/**
 * Starts programs with limits on time, memory and output, and never through a shell. The programs can be killed at any
 * time.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { failed, unavailable } from '../../src/core/errors.ts';
import { intoNamespaces, processLimit } from './confinement.ts';
import { CORES } from './cores.ts';
import { cpuTimeOf, cpuTimeOfGroup, takeCpuTimeOfEnded } from './cpu-time.ts';
import { chargeCpu, currentCall } from './current-call.ts';
import { lowerPriority } from './lower-priority.ts';
import { ProgramFailure, ProgramTimeout } from './program-failure.ts';
import { findProgram, findSystemProgram, PROGRAMS, type ProgramName } from './programs.ts';

/**
 * The tolerance in seconds within which a program counts as killed at its CPU limit, because the kernel may report
 * slightly less CPU time.
 */
const CPU_ROUNDING_SECONDS = 0.1;
/** The default limit for the address space of each process, in bytes. */
const MEMORY_BYTES = 2 * 1024 ** 3;
/** The size limit for each file that a program writes, in bytes. */
const FILE_BYTES = 1024 ** 3;
/** The default limit for standard output in bytes. A program that writes more is killed. */
const STDOUT_BYTES = 1024 * 1024;
const STDERR_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 60;

export interface RunOptions {
  /** When the signal aborts, the whole process group is killed immediately. */
  signal: AbortSignal;
  timeLimitMs: number;
  /** The limit on the CPU time of each process, in seconds. The default is `timeLimitMs`, converted to seconds. */
  cpuSeconds?: number;
  cwd?: string;
  /** The limit for the address space in bytes. The default is 2 GiB. */
  memoryBytes?: number;
  /** Receives the standard output while the program runs. */
  onOutput?(piece: Buffer): void;
  /** The exit codes that mean success. By default, only 0 does. */
  okExitCodes?: readonly number[];
  /** The limit for standard output in bytes. The default is 1 MiB. */
  stdoutBytes?: number;
  /** Additional environment variables. Programs do not inherit the environment of this process. */
  environment?: Readonly<Record<string, string>>;
}

export interface ProgramResult {
  exitCode: number;
  stdout: Buffer;
  stderr: string;
}

/** The programs that have not exited yet. */
const running = new Set<ChildProcess>();
/** The CPU seconds used by programs that have exited. */
const cpuTimes = new WeakMap<ChildProcess, number>();
let sharesGroup = false;
let mayHaveLeftPrograms = false;

/**
 * Whether a program started by this process has crashed or reached a limit. Its child processes may still be running.
 */
export const hasBrokenProgram = () => mayHaveLeftPrograms;

/**
 * Keeps all programs of this process in its own process group, so that killing the group also kills everything that
 * they have started. Call this in a process that was started by `spawnLimited`.
 */
export function shareGroup(): void {
  sharesGroup = true;
}

/**
 * Kills a program and everything that it has started, or only the program itself if it shares our group. The program
 * may already have exited.
 */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (sharesGroup) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The program has already exited.
  }
}

/**
 * Resolves when no program is running. Only then does this process's CPU time, as reported by the kernel, include
 * killed programs.
 */
export async function programsEnded(): Promise<void> {
  await Promise.all(
    Array.from(running, (child) => new Promise((resolve) => child.once('close', resolve))),
  );
}

/** Kills all running programs when the server shuts down. */
export function killAllPrograms(): void {
  for (const child of running) killGroup(child);
}

/**
 * Runs a program until it exits. If prlimit and setpriv (util-linux) are installed, they limit the program and its
 * privileges. Each of them adds about 0.8 ms. Throws ToolError 503 if the program is missing, ToolError 422 if it
 * exceeds its output limit, ProgramTimeout if it exceeds a time limit, ProgramFailure for any other failure, and the
 * signal's reason if it is aborted.
 */
export async function runProgram(
  program: ProgramName,
  programArguments: readonly string[],
  options: RunOptions,
): Promise<ProgramResult> {
  options.signal.throwIfAborted();
  const path = findProgram(program);
  if (!path) {
    throw unavailable(
      `The program ${program} is not installed. ` +
        `The operator can install it with: apt-get install ${PROGRAMS[program].package}`,
      RETRY_AFTER_SECONDS,
    );
  }
  const memory = options.memoryBytes ?? MEMORY_BYTES;
  const cpuSeconds = options.cpuSeconds ?? Math.ceil(options.timeLimitMs / 1000);
  const limits = [
    `--as=${memory}`,
    `--fsize=${FILE_BYTES}`,
    // At the first limit, the kernel sends SIGXCPU, which a program can handle. At the second limit, the kernel kills
    // the program.
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
  ];
  const child = spawnLimited([path, ...programArguments], limits, {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      LC_ALL: 'C.UTF-8',
      TMPDIR: options.cwd,
      ...options.environment,
    },
  });
  return watch(child, program, { ...options, cpuSeconds });
}

/**
 * Starts a process that is killed when this process exits, even if this process is itself killed. The kernel enforces
 * its limits, which are given as prlimit options. The process has no network if `confine` was able to set that up, and
 * it cannot gain privileges. It leads its own process group unless `shareGroup` was called.
 */
export function spawnLimited(
  command: readonly string[],
  limits: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [program = '', ...programArguments] = [
    ...intoNamespaces(),
    ...wrapper('setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--'),
    ...wrapper('prlimit', '--core=0', ...processLimit(), ...limits, '--'),
    ...command,
  ];
  const child = spawn(program, programArguments, { ...options, detached: !sharesGroup });
  const started = performance.now();
  running.add(child);
  child.once('error', () => running.delete(child));
  child.once('close', () => {
    running.delete(child);
    const mostSeconds = ((performance.now() - started) / 1000) * CORES;
    cpuTimes.set(child, takeCpuTimeOfEnded(mostSeconds));
  });
  lowerPriority(child, !sharesGroup);
  return child;
}

/**
 * Returns the path and the arguments of a util-linux program that runs the rest of the command. Returns an empty array
 * if the program is not installed.
 */
function wrapper(program: string, ...words: string[]): string[] {
  const path = findSystemProgram(program);
  return path ? [path, ...words] : [];
}

/**
 * Returns the CPU seconds used by a running program and, unless it shares our group, by all its children. They can be
 * read only until the program is killed.
 */
function cpuTimeUsed({ pid }: ChildProcess): number {
  if (pid === undefined) return 0;
  return sharesGroup ? (cpuTimeOf(pid)?.own ?? 0) : cpuTimeOfGroup(pid);
}

function watch(
  child: ChildProcess,
  program: string,
  options: RunOptions & { cpuSeconds: number },
): Promise<ProgramResult> {
  const { signal, timeLimitMs, cpuSeconds } = options;
  const call = currentCall();
  let cpuTimeWhenKilled = 0;
  const okExitCodes = options.okExitCodes ?? [0];
  let ended: Error | undefined;
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      if (!ended) cpuTimeWhenKilled = cpuTimeUsed(child);
      ended ??= error;
      killGroup(child);
    };
    const onAbort = () => end(asError(signal.reason));
    const timer = setTimeout(
      () => end(new ProgramTimeout(program, timeLimitMs / 1000)),
      timeLimitMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    const output = collectOutput(child, options, () =>
      end(failed(`${program} exceeded its output limit. Send a smaller file.`)),
    );
    const settle = (
      exitCode: number | null,
      killedBy: NodeJS.Signals | null,
      startError?: Error,
    ) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      const cpuTime = Math.max(cpuTimeWhenKilled, cpuTimes.get(child) ?? 0);
      chargeCpu(call, cpuTime);
      if ((ended || killedBy) && !signal.aborted) mayHaveLeftPrograms = true;
      const isSpent = killedBy === 'SIGXCPU' || cpuTime >= cpuSeconds - CPU_ROUNDING_SECONDS;
      if (ended ?? startError) reject(ended ?? startError);
      else if (exitCode !== 0 && isSpent) {
        reject(new ProgramTimeout(program, cpuSeconds, 'CPU seconds'));
      } else if (exitCode !== null && okExitCodes.includes(exitCode)) {
        resolve({ exitCode, stdout: Buffer.concat(output.stdout), stderr: output.stderr });
      } else reject(new ProgramFailure(program, exitCode, killedBy, output.stderr));
    };
    child.on('error', (error) => settle(null, null, error));
    child.on('exit', () => {
      if (!ended) return;
      // Processes started by the program may still be running in our group and keeping the streams open.
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    child.on('close', settle);
  });
}

/** Collects the output of a program while it runs. Calls `onExcess` if standard output exceeds its limit. */
function collectOutput(
  child: ChildProcess,
  { stdoutBytes = STDOUT_BYTES, onOutput }: RunOptions,
  onExcess: () => void,
): { stdout: Buffer[]; stderr: string } {
  const output = { stdout: [] as Buffer[], stderr: '' };
  let length = 0;
  child.stdout?.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > stdoutBytes) onExcess();
    else output.stdout.push(piece);
    onOutput?.(piece);
  });
  child.stderr?.on('data', (piece: Buffer) => {
    // Only the end of the error output is stored, because it explains the failure.
    output.stderr = (output.stderr + piece.toString('utf8')).slice(-STDERR_BYTES);
  });
  return output;
}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));
