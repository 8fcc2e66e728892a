/** The media worker: one HTTP server over named operations that need native programs. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { egressHostsRefusal, readEgressHosts } from '../../src/core/config.ts';
import { methodNotAllowed, notFound, ToolError, toToolError } from '../../src/core/errors.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { handleOperation, sendError } from './handle-operation.ts';
import { log } from './log.ts';
import { missingPrograms, programVersions } from './programs.ts';
import { killAllPrograms } from './run-program.ts';
import { WorkDirectory } from './work-directory.ts';

const SHUTDOWN_MS = 3000;
/** A slow upload is not an attack: the edge is the only caller. */
const REQUEST_TIMEOUT_MS = 10 * 60 * 1000;

const secret = process.env.MEDIA_SECRET ?? '';
if (secret === '') {
  process.stderr.write(
    'MEDIA_SECRET is not set. Give the Worker and the media worker the same one.\n',
  );
  process.exit(1);
}
const port = Number(process.env.PORT ?? '0');
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  process.stderr.write('PORT must be a number from 0 (any free port) to 65535.\n');
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
const programs = programVersions();
const stop = new AbortController();
const active = new Set<Promise<void>>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (path === '/health') {
    const body = JSON.stringify({
      ok: true,
      programs: await programs,
      missing: missingPrograms(),
    });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    return;
  }
  const given = request.headers['x-media-secret'];
  if (typeof given !== 'string' || !timingSafeEqual(digest(given), secretDigest)) {
    throw new ToolError('bad_request', 'X-Media-Secret is missing or wrong.', { status: 403 });
  }
  const operation = /^\/operations\/([a-z_]{1,64})$/.exec(path)?.[1];
  if (!operation && path !== '/fetch') {
    throw notFound('There is GET /health, POST /operations/{name} and POST /fetch.');
  }
  if (request.method !== 'POST') throw methodNotAllowed(request.method ?? '', 'POST');
  if (!operation) return guardedFetch(request, response, egress, stop.signal);
  await handleOperation(operation, request, response, workDirectory, stop.signal);
}

const server = createServer((request, response) => {
  const work: Promise<void> = answer(request, response)
    .catch((error: unknown) => {
      if (!(error instanceof ToolError)) {
        const cause = error instanceof Error ? error.stack : String(error);
        log({
          event: 'request',
          level: 'error',
          requestId: request.headers['x-request-id'],
          cause,
        });
      }
      sendError(response, toToolError(error));
      request.resume();
    })
    .finally(() => active.delete(work));
  active.add(work);
});
server.requestTimeout = REQUEST_TIMEOUT_MS;

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  server.close();
  const forced = setTimeout(() => finish(), SHUTDOWN_MS);
  stop.abort(new ToolError('internal', 'The media worker ends.', { status: 503, retryAfter: 5 }));
  killAllPrograms();
  await Promise.allSettled(active);
  clearTimeout(forced);
  finish();
}

function finish(): never {
  killAllPrograms();
  workDirectory.removeAll();
  process.exit(0);
}

process.on('SIGTERM', end);
process.on('SIGINT', end);
if (process.env.MEDIA_EXIT_WITH_STDIN === '1') {
  process.stdin.on('end', end).on('error', end).resume();
}

server.on('error', (error) => {
  process.stderr.write(`The media worker cannot listen: ${error.message}\n`);
  workDirectory.removeAll();
  process.exit(1);
});
server.listen(port, host, () => {
  const address = server.address() as AddressInfo;
  log({ event: 'listening', port: address.port });
});
