/**
 * Makes guarded requests for a self-hosted service. Resolves the host name, checks every address, and connects only to
 * the checked addresses.
 */
import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { upstreamFailed } from '../../src/core/errors.ts';
import { MEDIA_HEADERS } from '../../src/core/media-headers.ts';
import { doesNotResolve, lookupFailed, resolveOverHttps } from '../../src/web/dns-over-https.ts';
import { checkAddresses, checkUrl, hostOf } from '../../src/web/public-url.ts';
import { readJson } from './read-json.ts';

/** The time limit in milliseconds. All of the Worker's deadlines are shorter, so they expire first. */
const LIMIT_MS = 90_000;
const MAX_REQUEST_BYTES = 16 * 2 ** 20;
const MAX_HEADER_BYTES = 32 * 1024;
const NO_BODY = [204, 205, 304];
/** Hop-by-hop headers (RFC 9110, section 7.6.1), and Content-Encoding, because the body is decompressed here. */
const HOP_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'content-encoding',
];

export interface EgressSettings {
  /** Test hosts, each with its loopback `host:port`. */
  hosts: ReadonlyMap<string, string>;
  /** The DNS resolver to use instead of the system's. */
  dnsOverHttpsUrl: string | undefined;
}

interface Order {
  url: string;
  method: string;
  headers: Record<string, string>;
  /** The body, encoded as Base64. */
  body?: string;
}

/** Sends the upstream's response. One header contains the upstream's status and headers. The body is decompressed. */
export async function guardedFetch(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  settings: EgressSettings,
  stop: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the caller disconnected'));
  });
  const signal = AbortSignal.any([gone.signal, stop, AbortSignal.timeout(LIMIT_MS)]);
  const order = await readJson<Order>(request, MAX_REQUEST_BYTES);
  let answer: http.IncomingMessage;
  try {
    answer = await exchange(order, settings, signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  const described = JSON.stringify({ status: answer.statusCode, headers: headersOf(answer) });
  const hasBody = order.method !== 'HEAD' && !NO_BODY.includes(answer.statusCode ?? 0);
  response.writeHead(200, {
    [MEDIA_HEADERS.fetched]: Buffer.from(described).toString('base64url'),
  });
  response.flushHeaders();
  // If the upstream drops the connection, this response is interrupted too, so that the Worker can report the failure.
  await pipeline([answer, ...(hasBody ? decoders(answer) : []), response], { signal }).catch(() =>
    response.destroy(),
  );
}

async function exchange(
  order: Order,
  settings: EgressSettings,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const url = new URL(order.url);
  const target = await targetOf(url, settings, signal);
  const send = target.secure ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(signal.aborted ? signal.reason : describe(url, error));
    const outgoing = send({
      method: order.method,
      headers: { ...order.headers, Host: url.host },
      signal,
      path: url.pathname + url.search,
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...target.connection,
    });
    outgoing.once('response', resolve).once('error', fail);
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      fail(new Error('it switched protocols'));
    });
    outgoing.end(order.body === undefined ? undefined : Buffer.from(order.body, 'base64'));
  });
}

/** Returns the target of the connection, which is a test host's loopback address or one of the checked addresses. */
export async function targetOf(
  url: URL,
  settings: EgressSettings,
  signal: AbortSignal,
): Promise<{ secure: boolean; connection: http.RequestOptions & { servername?: string } }> {
  const host = hostOf(url);
  const test = settings.hosts.get(host);
  if (test) {
    const { hostname, port } = new URL(`http://${test}`);
    return { secure: false, connection: { host: hostname.replace(/^\[|\]$/g, ''), port } };
  }
  checkUrl(url);
  const addresses = isIP(host) ? [host] : await resolve(host, settings, signal);
  checkAddresses(host, addresses);
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  const pinned: LookupFunction = (_, options, callback) => {
    if (options.all) callback(null, checked);
    else callback(null, checked[0]!.address, checked[0]!.family);
  };
  const secure = url.protocol === 'https:';
  const connection = { host, port: url.port || (secure ? 443 : 80), lookup: pinned };
  return {
    secure,
    connection: isIP(host) ? connection : { ...connection, servername: host },
  };
}

async function resolve(
  host: string,
  { dnsOverHttpsUrl }: EgressSettings,
  signal: AbortSignal,
): Promise<string[]> {
  if (dnsOverHttpsUrl) return resolveOverHttps(dnsOverHttpsUrl, host, signal);
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    const isTemporary = (error as NodeJS.ErrnoException).code === 'EAI_AGAIN';
    throw isTemporary ? lookupFailed(host, error) : doesNotResolve(host);
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'it cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different name',
  HPE_HEADER_OVERFLOW: 'its headers are too long',
};

function describe(url: URL, error: NodeJS.ErrnoException): Error {
  const reason = REASONS[error.code ?? ''] ?? 'the connection failed or its response is malformed';
  return upstreamFailed(`${url.host} could not be fetched: ${reason}.`, error);
}

/** Returns the names and values of the headers that remain valid after decompression. */
function headersOf(answer: http.IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at]!.toLowerCase();
    if (!HOP_HEADERS.includes(name)) pairs.push([name, answer.rawHeaders[at + 1]!]);
  }
  const encoded = answer.headers['content-encoding'] !== undefined;
  return pairs.filter(([name]) => !encoded || name !== 'content-length');
}

/**
 * Returns the streams that decode the body, starting with the last Content-Encoding. Unknown encodings are not decoded.
 */
function decoders(answer: http.IncomingMessage): NodeJS.ReadWriteStream[] {
  const names = (answer.headers['content-encoding'] ?? '').split(',', 4).reverse();
  return names.flatMap((name): NodeJS.ReadWriteStream[] => {
    const kind = name.trim().toLowerCase();
    if (kind === 'gzip' || kind === 'x-gzip') return [createGunzip()];
    if (kind === 'deflate') return [createInflate()];
    if (kind === 'br') return [createBrotliDecompress()];
    return kind === 'zstd' ? [createZstdDecompress()] : [];
  });
}
