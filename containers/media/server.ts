/** Runs the media worker, which is an HTTP server for operations that need native programs. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { egressHostsRefusal, readEgressHosts } from '../../src/core/egress-hosts.ts';
import { methodNotAllowed, notFound, ToolError, toToolError } from '../../src/core/errors.ts';
import { MEDIA_HEADERS } from '../../src/core/media-headers.ts';
import { Answer } from './answer.ts';
import { confine } from './confinement.ts';
import { missingList } from './easylist.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { handleOperation } from './handle-operation.ts';
import { log, requestNames } from './log.ts';
import { missingPrograms, programVersions } from './programs.ts';
import { queueLoad } from './queues.ts';
import { refused } from './refused.ts';
import { reportLoad } from './report-load.ts';
import { killAllPrograms } from './run-program.ts';
import { WorkDirectory } from './work-directory.ts';

/** The time limit for aborted work to clean up, in milliseconds. */
const SHUTDOWN_MS = 3000;
const RETRY_AFTER_SECONDS = 5;
/** The time limit for receiving a request, in milliseconds. It is long, because only the Worker sends requests. */
const REQUEST_TIMEOUT_MS = 10 * 60 * 1000;
/**
 * workerd closes idle connections after 5 seconds. This server must not close a connection first, because workerd could
 * still send a request on it.
 */
const KEEP_ALIVE_MS = 60_000;

const endsWithInput = process.env.MEDIA_EXIT_WITH_STDIN === '1';
const secret = process.env.MEDIA_SECRET || (endsWithInput ? await secretFromInput() : '');
delete process.env.MEDIA_SECRET;
if (secret === '') {
  process.stderr.write(
    'MEDIA_SECRET is not set. Set it to the same value for the Worker and the media worker.\n',
  );
  process.exit(1);
}
const port = Number(process.env.PORT ?? '0');
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  process.stderr.write('PORT must be a number from 0 (any free port) to 65535.\n');
  process.exit(1);
}

const drainSeconds = Number(process.env.DRAIN_SECONDS ?? '0');
if (!(drainSeconds >= 0 && drainSeconds <= 3600)) {
  process.stderr.write('DRAIN_SECONDS must be a number from 0 to 3600.\n');
  process.exit(1);
}
const host = process.env.HOST ?? '127.0.0.1';
const refusal = egressHostsRefusal(process.env.EGRESS_HOSTS, host);
if (refusal) {
  process.stderr.write(`${refusal}.\n`);
  process.exit(1);
}
const egress = {
  hosts: readEgressHosts(process.env.EGRESS_HOSTS || '{}') ?? new Map<string, string>(),
  dnsOverHttpsUrl: process.env.DNS_OVER_HTTPS_URL || undefined,
};

const digest = (text: string) => createHash('sha256').update(text).digest();
const secretDigest = digest(secret);
const workDirectory = new WorkDirectory(process.env.WORK_DIR ?? tmpdir());
let ending = false;
const confinement = await confine(workDirectory, () => {
  if (ending) return;
  log({ event: 'namespaces lost', level: 'error' });
  void end();
});
const programs = programVersions();
const stop = new AbortController();
const active = new Set<Promise<void>>();

const ends = () =>
  refused(
    'ending',
    'The media worker is shutting down. Try again in a moment.',
    RETRY_AFTER_SECONDS,
  );

/**
 * Reads the secret from the first line of standard input. Unlike in the environment, no other process can read it
 * there.
 */
async function secretFromInput(): Promise<string> {
  process.stdin.once('end', () => process.exit(1));
  const [line] = (await once(process.stdin, 'data')) as [Buffer];
  return line.toString().trim();
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  // Reports that the process responds, even if it cannot accept calls.
  if (path === '/live') {
    sendJson(response, 200, { live: true });
    return;
  }
  if (path === '/health') {
    sendJson(response, 200, {
      ok: true,
      confinement,
      freeBytes: workDirectory.freeBytes(),
      programs: await programs,
      missing: [...missingPrograms(), ...missingList()],
    });
    return;
  }
  // Reports whether another request would be accepted. Responds once the programs have been located. Requests are
  // rejected during shutdown and while the work directory is not writable.
  if (path === '/ready') {
    await programs;
    const ready = !ending && workDirectory.isWritable();
    sendJson(response, ready ? 200 : 503, { ready, queues: queueLoad() });
    return;
  }
  const given = request.headers[MEDIA_HEADERS.secret];
  if (typeof given !== 'string' || !timingSafeEqual(digest(given), secretDigest)) {
    throw new ToolError('bad_request', 'X-Media-Secret is missing or invalid.', { status: 403 });
  }
  const operation = /^\/operations\/([a-z_]{1,64})$/.exec(path)?.[1];
  const question = /^\/advertisements\/(request|elements)$/.exec(path)?.[1];
  if (!operation && !question && path !== '/fetch') {
    throw notFound(
      'Use GET /live, GET /ready, GET /health, POST /operations/{name}, /advertisements/{question} or /fetch.',
    );
  }
  if (request.method !== 'POST') throw methodNotAllowed(request.method ?? '', 'POST');
  if (ending) throw ends();
  if (question) {
    // The module is loaded on first use, because most services never need it.
    const { answerAdvertisements } = await import('./answer-advertisements.ts');
    return answerAdvertisements(question, request, response);
  }
  if (!operation) return guardedFetch(request, response, egress, stop.signal);
  await handleOperation(operation, request, response, workDirectory, stop.signal);
}

const server = createServer((request, response) => {
  reportLoad(response);
  const work: Promise<void> = answer(request, response)
    .catch((error: unknown) => {
      const told = toToolError(error);
      // The cause of any other error is in the upstream or in the request.
      if ([500, 503].includes(told.status) && told.cause) {
        log({ event: 'request', level: 'error', ...requestNames(request), cause: told.cause });
      }
      new Answer(response).error(told);
      request.resume();
    })
    .finally(() => active.delete(work));
  active.add(work);
});
server.requestTimeout = REQUEST_TIMEOUT_MS;
server.keepAliveTimeout = KEEP_ALIVE_MS;

/**
 * Stops accepting requests, waits up to `drainSeconds` for running requests, and then aborts the rest. A second call
 * aborts them immediately.
 */
async function end(): Promise<void> {
  if (ending) {
    abort();
    return;
  }
  ending = true;
  const drained = setTimeout(abort, drainSeconds * 1000);
  if (drainSeconds === 0) abort();
  // The server keeps listening until all requests have ended, so that it can reject further calls with a reason.
  await Promise.allSettled(active);
  clearTimeout(drained);
  finish();
}

function abort(): void {
  stop.abort(ends());
  killAllPrograms();
  setTimeout(finish, SHUTDOWN_MS);
}

function finish(): never {
  killAllPrograms();
  workDirectory.removeAll();
  process.exit(0);
}

process.on('SIGTERM', end);
process.on('SIGINT', end);
if (endsWithInput) {
  process.stdin.on('end', end).on('error', end).resume();
}

server.on('error', (error) => {
  process.stderr.write(`The media worker cannot listen: ${error.message}\n`);
  workDirectory.removeAll();
  process.exit(1);
});
server.listen(port, host, () => {
  const address = server.address() as AddressInfo;
  log({ event: 'listening', port: address.port, confinement });
});
