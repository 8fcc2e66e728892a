/** Reports the load of this instance in response headers. */
import type { ServerResponse } from 'node:http';
import { MEDIA_HEADERS, writeLoad } from '../../src/core/media-headers.ts';
import { CORES } from './cores.ts';
import { callsInside } from './queues.ts';

/** @param own 1 if the response belongs to a running call, which is then excluded from the load */
export function reportLoad(response: ServerResponse, own: 0 | 1 = 0): void {
  response.setHeader(MEDIA_HEADERS.load, writeLoad(Math.max(0, callsInside() - own), CORES));
}
