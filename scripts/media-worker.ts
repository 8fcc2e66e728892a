/** Runs the media worker as a plain process: starts, restarts and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Confinement } from '../src/core/confinement.ts';

/** The delay before the first restart, in milliseconds. The delay increases if the worker keeps exiting. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/** The environment variables that the media worker inherits. It must not receive API keys for models and accounts. */
const INHERITED = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'NODE_ENV', 'NODE_COMPILE_CACHE'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['WORK_DIR', 'EGRESS_HOSTS', 'DNS_OVER_HTTPS_URL'],
];

export interface MediaWorker {
  url: string;
  /** The confinement of the worker's programs, as the worker reported it at startup. */
  confinement: Confinement | undefined;
  stop(): Promise<void>;
}

/**
 * Starts the media worker on a free loopback port, which stays the same across restarts. `log` receives its log lines.
 */
export async function startMediaWorker(
  secret: string,
  log: (line: string) => void,
): Promise<MediaWorker> {
  const port = await freePort();
  const inherited = inheritedVariables();
  let stopping = false;
  let pause = FIRST_PAUSE_MS;
  let child: ChildProcess;
  let confinement: Confinement | undefined;
  const start = () => {
    child = spawn(process.execPath, ['containers/media/server.ts'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...inherited,
        HOST: '127.0.0.1',
        PORT: String(port),
        MEDIA_EXIT_WITH_STDIN: '1',
      },
    });
    // Ignores the write error of a worker that has already exited. Its exit is handled below.
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(`${secret}\n`);
    const started = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        if (line.includes('"listening"')) {
          pause = FIRST_PAUSE_MS;
          confinement = JSON.parse(line).confinement;
          resolve();
        }
        log(line);
      });
      child.once('exit', () => resolve());
    });
    child.once('exit', () => {
      if (!stopping) setTimeout(() => void (stopping || start()), pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    });
    return started;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    confinement,
    stop: () => {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
      const stopped = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      return stopped;
    },
  };
}

const inheritedVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));

/** Returns an unused port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
