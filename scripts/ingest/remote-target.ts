/** The deployed database, through wrangler, which has the operator's credentials. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './ingest.ts';
import { literal } from './literal.ts';

/** Runs wrangler with these arguments and gives what it prints. */
export type RunWrangler = (args: readonly string[]) => string;

const ON_DATABASE = ['d1', 'execute', 'tools', '--remote', '--yes', '--json'];

export function remoteTarget(wrangler: RunWrangler = runWrangler): Target {
  return {
    async current() {
      const sql = 'SELECT version, digest FROM content_state WHERE id = 1';
      const answer = JSON.parse(wrangler([...ON_DATABASE, '--command', sql])) as {
        results: { version: number; digest: string }[];
      }[];
      return answer[0]?.results[0] ?? null;
    },
    async run(statements) {
      const folder = mkdtempSync(join(tmpdir(), 'tools-ingest-'));
      try {
        // A file is imported as a whole: where a statement fails, the database is as it was before.
        const file = join(folder, 'content.sql');
        writeFileSync(file, [...statements].map(literal).join('\n'));
        wrangler([...ON_DATABASE, '--file', file]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

function runWrangler(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('wrangler', [...args], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (status === 0) return stdout;
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  if (/no such table/.test(said)) {
    throw new Error(
      'The database has no content yet. Run first: npx wrangler d1 migrations apply tools --remote',
    );
  }
  throw new Error(`wrangler could not write to the database.\n${said}`);
}
