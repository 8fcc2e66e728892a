/**
 * Defines attacks with many connections. Their clients send incomplete requests, do not read the responses, or send
 * requests, headers or chunks that are slow to parse.
 */
import { type Attack, addressOf, flood, hold, openSilent, type Target } from './attacker.ts';

const IDLE_SECONDS = 30;
/** Exceeds the limit, in seconds, after which the service closes a connection whose client does not read. */
const UNREAD_SECONDS = 70;

const requestOf = (head: string, body = ''): string =>
  `${head} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const executeText = (tool: string, parameters: unknown): string =>
  requestOf('POST /api/v1/tools/execute', JSON.stringify({ tool, parameters }));

const idleBody = (bytes: number): string =>
  `POST /api/v1/tools/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\n\r\n--x\r\n`;

/** Returns an attack that holds `count` connections, distributed over `addresses` addresses. */
const holdMany =
  (count: number, addresses: number, seconds: number, text: string) => (target: Target) =>
    hold(
      Array.from({ length: count }, (_, index) =>
        openSilent(target, addressOf(30, index % addresses), text),
      ),
      seconds,
    );

const SMALLEST = 'GET / HTTP/1.1\r\nHost:a\r\n\r\n';
const CHUNKED = requestOf('POST /api/v1/tools/execute').replace(
  'Content-Length: 0',
  'Transfer-Encoding: chunked',
);
const fields = Array.from({ length: 1900 }, (_, index) => `a${index}:b\r\n`).join('');

const nested = { json: '['.repeat(900) + ']'.repeat(900), indent: 10 };
const unread = (text: string) => holdMany(40, 40, UNREAD_SECONDS, text);

export const connections: Attack[] = [
  {
    name: '600 idle bodies of 50 MB, one address',
    run: holdMany(600, 1, IDLE_SECONDS, idleBody(50_000_000)),
  },
  {
    name: '2,000 idle bodies of 50 MB, twenty addresses',
    run: holdMany(2000, 20, IDLE_SECONDS, idleBody(50_000_000)),
  },
  {
    name: '2,000 idle bodies of 50 MB, 200 addresses',
    run: holdMany(2000, 200, IDLE_SECONDS, idleBody(50_000_000)),
  },
  {
    name: '2,000 connections without a request',
    run: holdMany(2000, 200, IDLE_SECONDS, 'GET / HT'),
  },
  { name: '40 unread answers of format_json', run: unread(executeText('format_json', nested)) },
  {
    name: '40 unread answers of chains',
    run: unread(
      requestOf(
        'POST /api/v1/tools/chain',
        JSON.stringify({
          toolChain: [
            { tool: 'encode_base64', parameters: { text: 'a'.repeat(4000) } },
            { tool: 'encode_base64', parameters: { text: '{{prev.encoded}}'.repeat(280) } },
            { tool: 'encode_base64' },
            { tool: 'encode_base64' },
          ],
        }),
      ),
    ),
  },
  {
    name: '40 unread answers of generate_qr_code',
    run: unread(executeText('generate_qr_code', { text: 'a'.repeat(2331), size: 4096 })),
  },
  {
    name: '64 calls at once from each of twenty addresses',
    run: holdMany(1280, 20, IDLE_SECONDS, executeText('encode_base64', { text: 'a' })),
  },
  {
    name: '20 requests at once on each of 40 connections, 40 addresses',
    run: holdMany(40, 40, IDLE_SECONDS, requestOf('GET /api/v1/openapi.json').repeat(20)),
  },
  {
    name: '40 connections of one address with 20 requests each',
    run: holdMany(40, 1, UNREAD_SECONDS, requestOf('GET /api/v1/openapi.json').repeat(20)),
  },
  {
    name: '3,000 pipelined requests on each of 60 connections, again and again',
    run: (target) => flood(target, SMALLEST.repeat(3000)),
  },
  {
    name: '60 bodies in pieces of one byte, again and again',
    run: (target) => flood(target, CHUNKED, '1\r\nx\r\n'.repeat(20_000)),
  },
  {
    name: '60 bodies in pieces of 33 bytes',
    run: (target) => flood(target, CHUNKED, `21\r\n${'x'.repeat(33)}\r\n`.repeat(3000)),
  },
  {
    name: '1,900 headers on each of 60 connections, again and again',
    run: (target) => flood(target, `GET / HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`),
  },
];
