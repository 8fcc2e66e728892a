/** Reports the load of this instance in the headers of a response. */
import type { ServerResponse } from 'node:http';
import { MEDIA_HEADERS, writeLoad } from '../../src/core/media-headers.ts';
import { CORES } from './cores.ts';
import { callsInside } from './queues.ts';

/** `own`: how many of the calls are the one that is answered, which the report leaves out. */
export function reportLoad(response: ServerResponse, own: 0 | 1 = 0): void {
  response.setHeader(MEDIA_HEADERS.load, writeLoad(Math.max(0, callsInside() - own), CORES));
}
