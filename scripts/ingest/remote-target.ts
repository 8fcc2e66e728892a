/** The deployed database, through wrangler, which has the operator's credentials. */
import { spawnSync } from 'node:child_process';
import type { Target } from './ingest.ts';
import type { Statement } from './insert-rows.ts';
import { literal } from './literal.ts';

/** Runs wrangler with these arguments and gives what it prints. */
export type RunWrangler = (args: readonly string[]) => string;

/** Bytes of a command: Linux takes arguments of 128 KiB, D1 statements of 100,000 bytes. */
const LONG = 95_000;

const ON_DATABASE = ['d1', 'execute', 'tools', '--remote', '--yes', '--json'];

export function remoteTarget(wrangler: RunWrangler = runWrangler): Target {
  const send = (command: string) => wrangler([...ON_DATABASE, '--command', command]);
  return {
    async query(statement) {
      const answer = JSON.parse(send(literal(statement))) as {
        results: Record<string, unknown>[];
      }[];
      return answer[0]?.results ?? [];
    },
    // Not as a file: while D1 imports one, the database answers nobody. What breaks off is removed by the next run.
    async run(statements, beforeEach) {
      for (const command of commandsOf(statements)) {
        await beforeEach();
        send(command);
      }
    },
  };
}

/** As many statements in each as it takes. */
function* commandsOf(statements: Iterable<Statement>): Generator<string> {
  let command = '';
  for (const statement of statements) {
    const text = literal(statement);
    if (command !== '' && Buffer.byteLength(command) + Buffer.byteLength(text) > LONG) {
      yield command;
      command = '';
    }
    command += text;
  }
  if (command !== '') yield command;
}

function runWrangler(args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('wrangler', [...args], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (error) throw new Error(`wrangler could not be started: ${error.message}`);
  if (status === 0) return stdout;
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  if (/no such table/.test(said)) {
    throw new Error(
      'The database has no content yet. Run first: npx wrangler d1 migrations apply tools --remote',
    );
  }
  throw new Error(`wrangler could not write to the database.\n${said}`);
}
