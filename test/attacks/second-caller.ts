/**
 * Runs the second caller in a separate thread. It calls encode_base64 repeatedly, reports the slowest response, and
 * changes its address before it reaches a limit.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { addressOf } from './attacker.ts';

export interface Noticed {
  slowestMs: number;
  answers: number;
  /** The number of calls without a response, or with a status other than 200. */
  failures: number;
}

const PAUSE_MS = 25;
/** The number of calls per address. It is below the limit of 35 calls per hour and address. */
const CALLS_PER_ADDRESS = 30;
const BODY = '{"tool":"encode_base64","parameters":{"text":"hello"}}';

const { hostname, port } = workerData as { hostname: string; port: number };
const noticed: Noticed = { slowestMs: 0, answers: 0, failures: 0 };
let isOver = false;

parentPort!.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const began = performance.now();
  const address = addressOf(20, Math.floor(noticed.answers / CALLS_PER_ADDRESS));
  const status = await call(address);
  noticed.slowestMs = Math.max(noticed.slowestMs, performance.now() - began);
  noticed.answers += 1;
  if (status !== 200) noticed.failures += 1;
  await sleep(PAUSE_MS);
}
parentPort!.postMessage(noticed);

function call(localAddress: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const request = http.request({
    hostname,
    port,
    localAddress,
    path: '/api/v1/tools/execute',
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': BODY.length },
    agent: false,
  });
  request.on('error', () => resolve(0));
  request.on('response', (response) => {
    response.on('error', () => resolve(0));
    response.on('end', () => resolve(response.statusCode ?? 0));
    response.resume();
  });
  request.end(BODY);
  return promise;
}
