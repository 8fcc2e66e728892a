/** convert_timestamp: listed, but not callable; its page runs it in the browser, so that the input stays there. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';

export const convertTimestamp = defineTool({
  name: 'convert_timestamp',
  title: 'Convert a timestamp',
  shortName: 'Convert time',
  kind: 'browser',
  icon: 'calendar-clock',
  domain: null,
  description:
    'Converts between Unix time (seconds, milliseconds, micro- or nanoseconds), ISO 8601 and dates in any time zone. It runs in the browser, on its page; nothing is sent.',
  input: z.strictObject({
    value: z
      .string()
      .describe('Unix time in s, ms, µs or ns (detected by its size), ISO 8601, or "now".'),
    timeZone: z.string().optional().describe('An IANA time zone such as Europe/Berlin.'),
  }),
  access: 'anyone',
  limits: [],
  surfaces: [],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
});
