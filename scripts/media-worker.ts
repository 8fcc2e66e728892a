/** Keeps the media worker running as a plain process: starts it, restarts it, stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** A worker that keeps ending is restarted ever more slowly. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

export interface MediaWorker {
  url: string;
  stop(): Promise<void>;
}

/** Starts the media worker on a free loopback port, which it keeps over restarts. Its log goes to `log`. */
export async function startMediaWorker(
  secret: string,
  log: (line: string) => void,
): Promise<MediaWorker> {
  const port = await freePort();
  let stopping = false;
  let pause = FIRST_PAUSE_MS;
  let child: ChildProcess;
  const start = () => {
    child = spawn(process.execPath, ['containers/media/server.ts'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        MEDIA_SECRET: secret,
        MEDIA_EXIT_WITH_STDIN: '1',
      },
    });
    const started = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        if (line.includes('"listening"')) {
          pause = FIRST_PAUSE_MS;
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
    stop: () => {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
      const stopped = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      return stopped;
    },
  };
}

/** A port that is free at this moment. */
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
