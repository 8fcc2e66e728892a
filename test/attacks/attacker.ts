/** Defines attacks, and sends their requests from many addresses of the loopback network. */
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  hostname: string;
  port: number;
}

export interface Attack {
  name: string;
  /** Returns a summary of the responses, such as `34 × 200`. */
  run(target: Target): Promise<string>;
}

export interface Call {
  path: string;
  /** The body is sent as JSON unless it is a string. */
  body: unknown;
  headers?: Record<string, string>;
}

/** The maximum time that an attack waits for responses, in milliseconds. */
const MAX_MS = 90_000;

/** Returns a loopback address. Each address of 127.0.0.0/8 counts as a separate caller. */
export const addressOf = (group: number, index: number): string =>
  `127.${group}.${index >> 8}.${(index & 255) + 1}`;

/** Sends the calls concurrently from one address, and counts the responses by status. */
export async function sendAtOnce(target: Target, calls: readonly Call[]): Promise<string> {
  const address = addressOf(10, 0);
  return countOf(await Promise.all(calls.map((call) => post(target, call, address))));
}

/** Returns the status of the response, or 0 if there is no response. */
export function post(
  { hostname, port }: Target,
  { path, body, headers = {} }: Call,
  localAddress: string,
): Promise<number> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const { promise, resolve } = Promise.withResolvers<number>();
  const request = http.request({
    hostname,
    port,
    path,
    localAddress,
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers },
    signal: AbortSignal.timeout(MAX_MS),
  });
  request.on('error', () => resolve(0));
  request.on('response', (response) => {
    response.on('error', () => resolve(0));
    response.on('end', () => resolve(response.statusCode ?? 0));
    response.resume();
  });
  request.end(bytes);
  return promise;
}

/** Opens a connection from an address and sends the text. Does not read the response. */
export function openSilent({ hostname, port }: Target, localAddress: string, text: string): Socket {
  const socket = connect({ host: hostname, port, localAddress });
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

/**
 * Keeps the connections open for `seconds` seconds, then closes them. Returns a summary that states how many
 * connections the service had already closed.
 */
export async function hold(sockets: readonly Socket[], seconds: number): Promise<string> {
  await sleep(seconds * 1000);
  const closed = sockets.filter(({ destroyed, readyState }) => destroyed || readyState !== 'open');
  for (const socket of sockets) socket.destroy();
  return `${closed.length} of ${sockets.length} closed`;
}

const FLOOD_MS = 10_000;
const FLOODING = 60;

/**
 * Sends `text` on 60 connections from one address, and then keeps sending `rest` as fast as the service reads it, for
 * ten seconds. Replaces connections that are closed. Returns a summary that states the number of opened connections.
 */
export async function flood(target: Target, text: string, rest = ''): Promise<string> {
  const until = performance.now() + FLOOD_MS;
  const sockets = new Set<Socket>();
  let opened = 0;
  const begin = () => {
    if (performance.now() > until) return;
    opened += 1;
    const socket = openSilent(target, addressOf(40, 0), text);
    sockets.add(socket);
    const send = () => {
      while (rest && !socket.destroyed && socket.write(rest));
    };
    socket.on('connect', send).on('drain', send);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(begin, 5);
    });
    socket.resume();
  };
  for (let count = 0; count < FLOODING; count += 1) begin();
  await sleep(FLOOD_MS);
  for (const socket of sockets) socket.destroy();
  return `${opened} connections`;
}

function countOf(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');
}
