/**
 * Makes test/start/release-state.tar.gz. `node test/support/make-release-state.ts COMMIT` runs the service of that
 * commit and kills it during a job. The data in the archive expire after about 50 years.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { openDatabase } from '../../scripts/local-database.ts';
import { commandLineOf, descendantsOf } from './descendants.ts';
import { CLIENT, startGithub } from './github-stand-in.ts';
import { pollJob, startJob, startMerge } from './jobs.ts';
import { CONFIRMED, type Confirmed, RELEASE_STATE, signInWithGithub } from './release-state.ts';
import { makeSlowPdf } from './slow-pdf.ts';

const YEARS_50 = 50 * 365 * 24 * 3600;
/** The constants in the release's source code that set lifetimes. They are changed to about 50 years. */
const LIVES: readonly [file: string, constant: string, value: number][] = [
  ['src/core/limits.ts', 'UPLOAD_LIFE_SECONDS', YEARS_50],
  ['src/core/limits.ts', 'OUTPUT_LIFE_SECONDS', YEARS_50],
  ['src/adapters/durable-jobs.ts', 'LIFE_MS', YEARS_50 * 1000],
  ['src/rest/answer-once.ts', 'LIFE_SECONDS', YEARS_50],
  ['src/idempotency/answer-record.ts', 'LIFE_MS', YEARS_50 * 1000],
  ['src/rest/uploads.ts', 'LIFE_MS', YEARS_50 * 1000],
];
const ACCOUNT = { id: 12, login: 'grace' };

const [commit = 'HEAD'] = process.argv.slice(2);
const release = execFileSync('git', ['rev-parse', commit], { encoding: 'utf8' }).trim();
const sources = join(mkdtempSync(join(tmpdir(), 'tools-release-')), 'sources');
const stateDir = mkdtempSync(join(tmpdir(), 'tools-release-state-'));
execFileSync('git', ['worktree', 'add', '--detach', sources, release], { stdio: 'ignore' });
const github = await startGithub();
try {
  symlinkSync(resolve('node_modules'), join(sources, 'node_modules'));
  for (const [file, constant, value] of LIVES) setConstant(join(sources, file), constant, value);
  const confirmed = await confirmedState();
  prolongSession();
  delayJobs();
  for (const path of globSync(join(stateDir, 'v3/**/*.sqlite'))) shrink(path);
  writeFileSync(join(stateDir, CONFIRMED), `${JSON.stringify(confirmed, null, 2)}\n`);
  const tar = ['--create', '--gzip', '--file', RELEASE_STATE, '--directory', stateDir];
  execFileSync('tar', [...tar, '--owner=0', '--group=0', CONFIRMED, 'v3']);
  console.log(`${RELEASE_STATE}: ${statSync(RELEASE_STATE).size} bytes, of ${release}`);
} finally {
  github.close();
  execFileSync('git', ['worktree', 'remove', '--force', sources]);
  rmSync(stateDir, { recursive: true });
}

function setConstant(file: string, constant: string, value: number): void {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(new RegExp(`(const ${constant} = )[^;]+`), `$1${value}`);
  if (changed === text) throw new Error(`${file} has no ${constant}. Adapt LIVES.`);
  writeFileSync(file, changed);
}

/** Runs the service of the release, and kills it while a job is running. Returns what the service has confirmed. */
async function confirmedState(): Promise<Confirmed> {
  const env = {
    ...process.env,
    PORT: '0',
    STATE_DIR: stateDir,
    RATE_LIMITS: 'off',
    MAX_STORAGE: '1 GB',
    GITHUB_CLIENT_ID: CLIENT.id,
    GITHUB_CLIENT_SECRET: CLIENT.secret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: `${github.url}/api`,
  };
  const options = { cwd: sources, env };
  const service = spawn(process.execPath, ['scripts/serve.ts'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const baseUrl = await new Promise<string>((found, ended) => {
      service.once('exit', () => ended(new Error('The service of the release did not start.')));
      createInterface({ input: service.stdout }).on('line', (line) => {
        const address = /The service is at (\S+)/.exec(line)?.[1];
        if (address) found(address);
      });
    });
    github.user = ACCOUNT;
    const { cookie: session } = await signInWithGithub(baseUrl);
    const words = ['scripts/key.ts', '--account', 'Upgraded', '--requests-per-day', '7'];
    const key = execFileSync(process.execPath, words, { ...options, encoding: 'utf8' }).trim();
    const form = new FormData();
    const text = 'stored by an earlier release';
    form.append('tool', 'upload_file');
    form.append('file', new File([text], 'note.txt', { type: 'text/plain' }));
    const target = 'https://example.com/kept';
    const shorten = JSON.stringify({ tool: 'shorten_url', parameters: { url: target } });
    const [{ url }, { shortUrl }] = [await post(baseUrl, form), await post(baseUrl, shorten)];
    const idempotencyKey = 'sent-before-the-upgrade';
    const response = await post(baseUrl, shorten, {
      Authorization: `Bearer ${key}`,
      'Idempotency-Key': idempotencyKey,
    });
    const { uploadUrl } = await post(baseUrl, '{"filename":"later.txt"}', {}, '/api/v1/uploads');
    const finished = await startJob(baseUrl, {
      tool: 'encode_base64',
      parameters: { text: 'finished' },
    });
    await pollJob(finished, baseUrl);
    const [media] = [...descendantsOf(service.pid!).keys()].filter((pid) =>
      commandLineOf(pid).includes('containers/media/server.ts'),
    );
    process.kill(media!, 'SIGSTOP');
    const interrupted = await startMerge(baseUrl, new File([makeSlowPdf(50)], 'a.pdf'));
    await pollJob(interrupted, baseUrl, /running/);
    return {
      release,
      session,
      key,
      interrupted,
      repeatable: { idempotencyKey, body: shorten, response: JSON.stringify(response) },
      uploadAddress: new URL(uploadUrl!).pathname,
      account: { id: accountId(), github: ACCOUNT },
      link: [new URL(shortUrl!).pathname, target],
      file: [new URL(url!).pathname, text],
      finished: [finished, Buffer.from('finished').toString('base64')],
    };
  } finally {
    const parts = [...descendantsOf(service.pid!).keys()];
    const exited = once(service, 'exit');
    for (const pid of [service.pid!, ...parts]) process.kill(pid, 'SIGKILL');
    await exited;
  }
}

async function post(
  baseUrl: string,
  body: FormData | string,
  given: Record<string, string> = {},
  path = '/api/v1/tools/execute',
): Promise<Record<string, string>> {
  const isJson = typeof body === 'string';
  const headers = { ...given, ...(isJson && { 'Content-Type': 'application/json' }) };
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    body,
    headers,
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json() as Promise<Record<string, string>>;
}

function accountId(): string {
  const database = openDatabase(stateDir);
  const [row] = database.prepare('SELECT account_id AS id FROM github_users').all();
  database.close();
  return String(row!.id);
}

/**
 * Extends the session. The release cannot create it with this lifetime, because browsers refuse cookies that are valid
 * for 50 years.
 */
function prolongSession(): void {
  const database = openDatabase(stateDir);
  database.prepare('UPDATE sessions SET expires_at = expires_at + ?').run(YEARS_50 * 1000);
  database.close();
}

/** Moves the jobs' creation times into the future, because a service does not start a job long after it was created. */
function delayJobs(): void {
  for (const path of globSync(join(stateDir, 'v3/do/-Job/*.sqlite'))) {
    if (path.endsWith('/metadata.sqlite')) continue;
    const database = new DatabaseSync(path);
    const [row] = database.prepare("SELECT value FROM _cf_KV WHERE key = 'job'").all();
    const state = deserialize(row!.value as Uint8Array);
    state.createdAt += YEARS_50 * 1000;
    database.prepare("UPDATE _cf_KV SET value = ? WHERE key = 'job'").run(serialize(state));
    database.close();
  }
}

function shrink(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  database.close();
}
