/** Defines the errors for programs that fail or exceed their time limit. */
import { failed, ToolError } from '../../src/core/errors.ts';

const REASON_CHARACTERS = 200;
/** Matches the end of qpdf's warnings, and the line that FFmpeg writes after a repeated message. */
const NO_REASON = /^(?:operation succeeded|Last message repeated)/;

/** Matches the component of FFmpeg that reports a message, with its memory address: `[out#0/mp4 @ 0x55d0c8a0]`. */
const FFMPEG_COMPONENT = /\[[^[\]@]*@ 0x[\da-f]+\] ?/g;
/** Matches a path or a `file:` URL, but not the slash in `Input/output error`. */
const PATH = /(?<!\w)(?:file:)?\.{0,2}\/[^\s:,;'")]+/g;

/** Thrown if a program exits abnormally. The caller decides whether the input files caused the failure. */
export class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure';
  readonly program: string;
  /** The exit code, or null if a signal terminated the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** A short reason that contains no server paths. */
  readonly reason: string;
  /** The error output, which is used to classify failures. It is never shown to callers. */
  readonly stderr: string;

  constructor(
    program: string,
    exitCode: number | null,
    signal: NodeJS.Signals | null,
    stderr: string,
  ) {
    const reason = shortReason(stderr);
    super(`${program} ended with ${exitCode ?? signal}: ${reason}`);
    this.signal = signal;
    this.program = program;
    this.exitCode = exitCode;
    this.reason = reason;
    this.stderr = stderr;
  }

  /** Whether the program ran out of memory. Such a program either reports the error or crashes. */
  get lacksMemory(): boolean {
    const broke = this.signal === 'SIGABRT' || this.signal === 'SIGSEGV';
    return (
      broke || /cannot allocate|out of memory|bad_alloc|malloc|allocation failed/i.test(this.stderr)
    );
  }

  /** Throws ToolError 422 if the operator or the kernel killed the program while it read the file with this name. */
  throwIfKilled(name: string): void {
    if (this.signal === 'SIGKILL' || this.signal === 'SIGTERM')
      throw failed(`The program that read "${name}" was killed (${this.signal}). Try again.`);
  }

  /**
   * Throws ToolError 422 if the program ran out of memory or was killed. Such a failure does not show that the file with
   * this name is damaged.
   */
  throwUnlessConclusive(name: string): void {
    this.throwIfKilled(name);
    if (this.lacksMemory)
      throw failed(`Reading "${name}" exceeds the memory limit. Send a smaller file.`);
  }
}

/** Thrown with status 422 if a program was killed because it exceeded its time limit. */
export class ProgramTimeout extends ToolError {
  constructor(program: string, seconds: number, kind: 'seconds' | 'CPU seconds' = 'seconds') {
    super(
      'tool_failed',
      `${program} did not finish within its limit of ${seconds} ${kind}. Send a simpler or smaller file.`,
    );
  }
}

/** Returns the last meaningful line of the error output, without paths, memory addresses and the program's name. */
export function shortReason(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(FFMPEG_COMPONENT, '').replace(PATH, 'the file').trim())
    .map((line) => line.replace(/^(?:WARNING: )?[\w-]+: /, '').replace(/^the file:? ?/, ''))
    .filter((line) => line !== '' && !NO_REASON.test(line));
  return (lines.at(-1) ?? 'no reason was given').slice(0, REASON_CHARACTERS);
}
