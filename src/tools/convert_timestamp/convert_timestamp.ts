/** convert_timestamp: converts a point in time to all common notations, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const convertTimestamp = defineBrowserTool({
  name: 'convert_timestamp',
  title: 'Convert a timestamp',
  shortName: 'Convert time',
  kind: 'data',
  icon: 'calendar-clock',
  description:
    'Converts between Unix time (seconds, milliseconds, micro- or nanoseconds), ISO 8601 and dates in any time zone. It runs in the browser; no data is sent.',
  input: z.strictObject({
    value: z
      .string()
      .describe(
        'Unix time in s, ms, µs or ns (detected from its magnitude), an ISO 8601 or RFC 2822 date, or "now".',
      ),
    timeZone: z.string().optional().describe('An IANA time zone such as Europe/Berlin.'),
  }),
  example: { parameters: { value: '1735689600' } },
  synonyms: [
    'unix time',
    'epoch',
    'date',
    'iso 8601',
    'milliseconds',
    'time zone',
    'timezone',
    'tz',
  ],
  form: {
    value: {
      label: 'Moment',
      help: 'Unix time in s, ms, µs or ns, a date such as 2026-11-21 09:30 or 21 Nov 2026 09:30 GMT, or “now”.',
      initial: 'now',
      control: 'line',
    },
    timeZone: { label: 'Time zone', help: '', control: 'zone' },
  },
  isRandom: true,
});
