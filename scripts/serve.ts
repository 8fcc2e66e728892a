/** Runs the whole service on this machine: the media worker, the Worker in workerd and the proxy. Stops on Ctrl-C. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { checkSettings, readConfig } from '../src/core/config.ts';
import { type Confinement, describeConfinement } from '../src/core/confinement.ts';
import { egressHostsRefusal, isLoopbackHost } from '../src/core/egress-hosts.ts';
import { DRAIN_SECONDS, HOME_STORAGE, SETTINGS } from '../src/core/settings.ts';
import { startDeletingEmptyObjects } from './empty-objects.ts';
import { END_SIGNALS } from './end-signals.ts';
import { startMediaWorker } from './media-worker.ts';
import { startProxy } from './proxy-thread.ts';
import { reachFolder } from './reachable-folder.ts';
import { ownState, StateUnavailable } from './state-owner.ts';
import type { RunningWorker } from './worker.ts';

reachFolder();
// Ignores write errors, because a full disk must not stop the service.
for (const log of [process.stdout, process.stderr]) log.on('error', () => {});
if (existsSync('.env')) process.loadEnvFile('.env');
const host = process.env.HOST || 'localhost';
const refusal = egressHostsRefusal(process.env.EGRESS_HOSTS, host);
// This program starts a media worker if no external one is configured.
const startsMedia = !process.env.MEDIA_URL && !process.env.MEDIA_URLS;
const made = {
  BASE_URL: 'http://localhost',
  ...(startsMedia && { MEDIA_URL: 'http://127.0.0.1', MEDIA_SECRET: newSecret() }),
};
const given = Object.entries(process.env).filter(([, value]) => value !== '');
const config = readConfig({ ...made, ...Object.fromEntries(given) });
const findings = 'findings' in config ? config.findings : checkSettings(process.env);
if (refusal && !findings.includes(refusal)) findings.push(refusal);
if (!isLoopbackHost(host) && !process.env.BASE_URL) {
  findings.push(
    `BASE_URL is not set, but HOST=${host} exposes the service to the network: set BASE_URL to the URL that callers use`,
  );
}
if ('findings' in config || findings.length > 0) {
  console.error(`The settings are invalid:\n  ${findings.join('\n  ')}`);
  process.exit(1);
}
const { allowed } = config;

const port = Number(process.env.PORT || 8787);
const stateDir = process.env.STATE_DIR || '.wrangler/state';
const drainMs = Number(process.env.DRAIN_SECONDS || DRAIN_SECONDS) * 1000;
/** The fraction of `drainMs` that is reserved for the Worker's last writes and the media worker's shutdown. */
const WRITE_SHARE = 0.25;
const stops: (() => unknown)[] = [];
let stopping = false;
let programConfinement: Confinement | undefined;
for (const signal of END_SIGNALS) process.on(signal, () => stop(0));

try {
  await serve();
} catch (error) {
  console.error(explain(error));
  await stop(1);
}

function newSecret(): string {
  return randomBytes(24).toString('hex');
}

async function serve(): Promise<void> {
  const state = ownState(stateDir);
  if (process.env.TOOLS_TMP) useTemporaryFolder(process.env.TOOLS_TMP);
  // The Worker needs the addresses of the media worker and the proxy. Its module is imported while they start.
  const starting = [startMedia(), openProxy(), import('./worker.ts')] as const;
  // Waits for all startup steps even if one fails, so that each has registered its cleanup before stop() runs.
  await Promise.allSettled(starting);
  const [media, proxy, { startClock, startWorker }] = await Promise.all(starting);
  const address = `http://${shownHost()}:${proxy.port}`;
  state.listensAt(address);
  const worker = await startWorker(
    {
      BASE_URL: address,
      MAX_STORAGE: HOME_STORAGE,
      ...givenVariables(),
      ...media,
    },
    stateDir,
  );
  stops.push(() => worker.stop());
  stops.push(startClock(worker));
  stops.push(startDeletingEmptyObjects(stateDir));
  stops.push(() => proxy.drain(drainMs * (1 - WRITE_SHARE)));
  proxy.forwardTo(worker.url);
  await greet(worker, address);
}

/** Uses this folder for temporary files. Deletes the files that a killed service left there. */
function useTemporaryFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
}

/**
 * Starts the media worker and returns the Worker's settings for it. Returns no settings if an external media worker is
 * configured.
 */
async function startMedia(): Promise<Record<string, string>> {
  if (!startsMedia) return {};
  const secret = process.env.MEDIA_SECRET || newSecret();
  const media = await startMediaWorker(secret, logMedia);
  // The step is inserted at the front, because the steps run in reverse order and the media worker must stop last.
  stops.unshift(() => media.stop());
  programConfinement = media.confinement;
  return { MEDIA_URL: media.url, MEDIA_SECRET: secret };
}

async function openProxy() {
  const proxy = await startProxy({
    hosts: host === 'localhost' ? ['127.0.0.1', '::1'] : [host],
    port,
    trustedProxy: process.env.TRUSTED_PROXY === 'on',
    allowed,
  });
  stops.push(() => proxy.close());
  return proxy;
}

/** Returns the host name for URLs that are opened on this machine. */
function shownHost(): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the Worker's settings from the environment, which includes .env. */
function givenVariables(): Record<string, string> {
  const names = SETTINGS.filter((setting) => !setting.local).map(({ name }) => name);
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name] as string]] : [])),
  );
}

async function greet({ url, confinement }: RunningWorker, address: string): Promise<void> {
  const response = await fetch(new URL('/health', url));
  const { missing } = (await response.json()) as { missing?: string[] };
  for (const name of missing ?? [])
    console.warn(`Missing: ${name}. Tools that need it return 503.`);
  for (const [part, state] of Object.entries({ programs: programConfinement, ...confinement })) {
    if (state) console.log(`Confinement of the ${describeConfinement(part, state)}`);
  }
  console.log(`
The service is at ${address}

Try:  curl -s ${address}/api/v1/tools/execute -H 'Content-Type: application/json' \\
        -d '{"tool":"encode_base64","parameters":{"text":"hello"}}'

Stop: Ctrl-C
`);
}

/** Prints the errors and the request log of the media worker. */
function logMedia(line: string): void {
  if (line.includes('"level":"error"')) console.error(line);
  else if (line.includes('"event":"request"')) console.log(line);
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Exits at the time limit, even if a step has not finished. Jobs continue at the next start.
  setTimeout(() => process.exit(code), drainMs).unref();
  for (const end of stops.reverse()) await end();
  process.exit(code);
}

function explain(error: unknown): string {
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Choose a different one: PORT=${port + 1} npm start`;
  }
  if (error instanceof StateUnavailable) return message;
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} needs root. Choose one above 1023: PORT=8787 npm start`;
  return stack ?? message;
}
