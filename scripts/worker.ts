/** Runs the bundled Worker in workerd, through Miniflare, with the bindings from wrangler.toml. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { SYSTEM_PATH } from '../containers/media/programs.ts';
import { isRoot, obstacleToBecoming } from '../containers/media/root.ts';
import { type Confinement, USERS } from '../src/core/confinement.ts';
import { offerBrowser } from './browser.ts';
import { watchBrowsers } from './browser-watch.ts';
import { bundleFolder } from './bundle.ts';
import { withoutNewHandlers } from './end-signals.ts';
import { migrateAll } from './migrate-all.ts';
import { hasSetpriv } from './tied-program.ts';
import { tieWorkerd, WORKERD } from './tied-workerd.ts';
import { type WorkerOptions, workerOptions } from './worker-options.ts';

export interface RunningWorker {
  /** The address on which workerd itself listens. */
  url: URL;
  miniflare: Miniflare;
  /** The cron schedule from wrangler.toml. */
  crons: readonly string[];
  /** The confinement of workerd and of the browser. */
  confinement: Record<'worker' | 'browser', Confinement>;
  stop(): Promise<void>;
}

/**
 * Miniflare's R2 also runs in workerd, so its garbage adds to the memory of the service. V8 lets about 100 MB
 * accumulate by default. With early collection, four concurrent uploads of 50 MB use 50 MB, without a measurable change
 * in the request rate. With a semi-space of 4 MB instead of 1 MB, parsing JSON with many values is 1.6 times faster and
 * needs no more memory.
 */
const V8_FLAGS = '--initial-old-space-size=4 --max-semi-space-size=4 --optimize-for-size';

/**
 * workerd's complete environment as shell assignments. It does not contain the Worker's settings, because they are
 * passed as bindings.
 */
const WORKERD_ENVIRONMENT = [
  'PATH="$PATH" HOME="$HOME" TMPDIR="$' + '{TMPDIR:-/tmp}"',
  'LC_ALL=C.UTF-8 TZ=UTC FORCE_COLOR="$FORCE_COLOR"',
].join(' ');

/** The time limit for the Worker's last writes when the service stops, in milliseconds. */
const STOP_MS = 3000;

/** Starts the Worker with `variables` as additional bindings. Its state is stored in `stateDir`. */
export async function startWorker(
  variables: Record<string, string>,
  stateDir: string,
): Promise<RunningWorker> {
  const folder = await bundleFolder();
  const options = await workerOptions(folder);
  const browser = offerBrowser();
  const stopWatching = watchBrowsers(console.warn);
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= V8_FLAGS;
  const confinement = { worker: confineWorkerd(resolve(stateDir), assetsOf(options)), browser };
  const miniflareOptions = convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    telemetry: { enabled: false },
    handleStructuredLogs: printLog,
    unsafeHandleRuntimeRestart: () => {
      console.log(JSON.stringify({ event: 'worker-restarted' }));
    },
    unsafeLocalExplorer: false,
    // The layout is the same as with `wrangler dev`, so that both can use the same state.
    resourcePersistencePath: resolve(stateDir, 'v3'),
    workers: [
      {
        ...options,
        serviceBindings: { ...options.serviceBindings, DISK: diskOf(stateDir) },
        bindings: {
          ...(options.bindings as object),
          ...variables,
          CONFINEMENT: JSON.stringify(confinement),
        },
        modulesRoot: folder,
        modules: modulesOf(folder),
        // Bypasses Miniflare's entry worker, which would greatly reduce the request rate.
        unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      },
    ],
  });
  // Removes Miniflare's signal handlers. They would stop workerd immediately and lose the Worker's unwritten data.
  const miniflare = withoutNewHandlers(() => new Miniflare(miniflareOptions));
  await miniflare.ready;
  await migrateAll(miniflare);
  return {
    url: await miniflare.unsafeGetDirectURL(),
    miniflare,
    crons: (options.cronTriggers as string[] | undefined) ?? [],
    confinement,
    stop: async () => {
      // The cron handler also writes the Worker's unwritten data.
      await Promise.race([
        runCron(miniflare, 'stop'),
        setTimeout(STOP_MS, undefined, { ref: false }),
      ]);
      stopWatching();
      await miniflare.dispose();
    },
  };
}

/** Reports the free space on the state's disk, which the Worker cannot measure itself. */
const diskOf = (stateDir: string) => async () => {
  mkdirSync(stateDir, { recursive: true });
  const { bavail, blocks, bsize } = await statfs(stateDir);
  return Response.json({ free: bavail * bsize, total: blocks * bsize }) as never;
};

/**
 * Makes Miniflare start a workerd that exits with this process. If root starts the service, workerd runs as a separate
 * user where this is possible, and that user becomes the owner of the state. Returns the protections that are on and
 * those that are off.
 */
function confineWorkerd(stateDir: string, assets: readonly string[]): Confinement {
  const obstacle = isRoot()
    ? (obstacleToBecoming(USERS.worker) ?? obstacleForWorkerd(stateDir, [WORKERD, ...assets]))
    : undefined;
  const user = isRoot() && !obstacle ? USERS.worker : undefined;
  process.env.TOOLS_STATE_DIR = stateDir;
  if (user !== undefined) process.env.TMPDIR = temporaryFolder(user);
  // Miniflare creates folders before each start, so the script changes their owner to workerd's user. It skips the
  // browser's folders, which belong to the browser's user.
  const handOver = `chown -R ${user}:${user} "$TOOLS_STATE_DIR"
find "$TMPDIR" -name browser-rendering -prune -o -exec chown ${user}:${user} {} +`;
  tieWorkerd({
    user,
    prepare: user === undefined ? '' : handOver,
    environment: WORKERD_ENVIRONMENT,
  });
  const on: string[] = [];
  const off: string[] = [];
  if (obstacle) off.push(`unprivileged user (${obstacle})`);
  else on.push(`user ${user ?? process.getuid?.()}`);
  if (hasSetpriv()) on.push('no new privileges');
  else off.push('no new privileges (setpriv from util-linux is not installed)');
  on.push('clean environment');
  return { on, off };
}

/**
 * Creates the folder for Miniflare's temporary files, which is removed when this process exits. Other users can enter
 * the folder but not list it.
 */
function temporaryFolder(user: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'));
  chmodSync(folder, 0o711);
  chownSync(folder, user, user);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the folders that workerd reads files from. */
const assetsOf = ({ serviceBindings }: WorkerOptions): string[] =>
  Object.values(serviceBindings).map(({ disk }) => disk.path);

/** Returns the reason that workerd cannot run as its own user, or undefined if it can. */
function obstacleForWorkerd(stateDir: string, needed: readonly string[]): string | undefined {
  mkdirSync(stateDir, { recursive: true });
  chownSync(stateDir, USERS.worker, USERS.worker);
  const user = ['--reuid', USERS.worker, '--regid', USERS.worker, '--clear-groups'].map(String);
  const script = 'for path; do test -r "$path" || { echo "$path"; exit 1; }; done';
  const words = [...user, 'sh', '-c', script, 'sh', stateDir, ...needed];
  const env = { PATH: SYSTEM_PATH };
  const { error, status, stdout } = spawnSync('setpriv', words, { encoding: 'utf8', env });
  if (status === 0) return undefined;
  chownSync(stateDir, 0, 0);
  if (error) return 'setpriv from util-linux is not installed';
  return `user ${USERS.worker} cannot open ${stdout.trim()}`;
}

/** Prints the Worker's log without workerd's own startup messages. */
function printLog({ level, message }: { level: string; message: string }): void {
  if (!message.startsWith('NOSENTRY')) console[level === 'error' ? 'error' : 'log'](message);
}

/**
 * Runs the Worker's cron handler immediately and then on the schedule in wrangler.toml. Returns a function that stops
 * the schedule.
 */
export function startClock({ miniflare, crons }: RunningWorker): () => void {
  const timers = crons.map((cron) => {
    const minutes = /^\*\/(\d+) \* \* \* \*$/.exec(cron)?.[1];
    if (!minutes)
      throw new Error(`npm start supports cron expressions such as "*/15 * * * *", not "${cron}"`);
    const timer = setInterval(() => void runCron(miniflare, cron), Number(minutes) * 60_000);
    timer.unref();
    void runCron(miniflare, cron);
    return timer;
  });
  return () => timers.forEach(clearInterval);
}

/**
 * Calls the cron handler once. Logs a failure instead of throwing, because the next scheduled call retries the work. At
 * shutdown no call follows, and the unwritten data is lost.
 */
async function runCron(miniflare: Miniflare, cron: string): Promise<void> {
  try {
    const worker = await miniflare.getWorker();
    await worker.scheduled({ cron, scheduledTime: new Date() });
  } catch (error) {
    const effect =
      cron === 'stop' ? 'last writes failed' : 'scheduled task failed and will be retried';
    console.error(`The ${effect}: ${String(error)}`);
  }
}

type Module = { type: 'ESModule' | 'CompiledWasm'; path: string };

function modulesOf(folder: string): Module[] {
  const names = readdirSync(folder).filter((name) => name !== 'index.js');
  const others = names.flatMap((name): Module[] => {
    const path = join(folder, name);
    if (name.endsWith('.wasm')) return [{ type: 'CompiledWasm', path }];
    return name.endsWith('.js') ? [{ type: 'ESModule', path }] : [];
  });
  return [{ type: 'ESModule', path: join(folder, 'index.js') }, ...others];
}
