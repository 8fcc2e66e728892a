/** Runs wrangler and other programs for a deployment. In a dry run it only prints the commands. */
import { spawn } from 'node:child_process';

export interface CommandResult {
  ok: boolean;
  stdout: string;
  /** The combined stdout and stderr of the command. */
  output: string;
}

export interface CommandRunner {
  readonly isDryRun: boolean;
  run(program: string, ...args: string[]): Promise<CommandResult>;
}

/** Without a terminal as stdin, wrangler never prompts. */
export const realRunner: CommandRunner = {
  isDryRun: false,
  run: (program, ...args) =>
    new Promise((resolve) => {
      const child = spawn(program, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
      });
      const stdout: Buffer[] = [];
      const output: Buffer[] = [];
      child.stdout.on('data', (bytes: Buffer) => {
        stdout.push(bytes);
        output.push(bytes);
      });
      child.stderr.on('data', (bytes: Buffer) => output.push(bytes));
      const done = (ok: boolean, reason = '') =>
        resolve({
          ok,
          stdout: Buffer.concat(stdout).toString(),
          output: reason + Buffer.concat(output).toString(),
        });
      child.once('error', ({ message }) => done(false, message));
      child.once('close', (code) => done(code === 0));
    }),
};

/** Prints each command without running it, and returns empty output. */
export const dryRunner = (print: (line: string) => void): CommandRunner => ({
  isDryRun: true,
  run: async (program, ...args) => {
    print([program, ...args].map(quoted).join(' '));
    return { ok: true, stdout: '', output: '' };
  },
});

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
