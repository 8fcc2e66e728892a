/** explain_cron: explains a cron expression and lists its next runs, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const explainCron = defineBrowserTool({
  name: 'explain_cron',
  title: 'Explain a cron expression',
  shortName: 'Explain',
  kind: 'data',
  icon: 'alarm-clock',
  description:
    'Explains a cron expression in words, and lists its next runs in your time zone. It runs in the browser; no data is sent.',
  input: z.strictObject({
    expression: z
      .string()
      .describe(
        'Five fields (minute hour day month weekday), six with seconds, or a shortcut such as @daily.',
      ),
    timeZone: z.string().optional().describe('An IANA time zone such as Europe/Berlin.'),
  }),
  example: { parameters: { expression: '30 9 * * MON-FRI' } },
  synonyms: ['crontab', 'schedule', 'job scheduler', 'next run', 'every five minutes'],
  form: {
    expression: {
      label: 'Cron expression',
      help: 'Minute, hour, day of the month, month, day of the week. An optional field before them sets the seconds.',
      control: 'line',
    },
    timeZone: { label: 'Time zone', help: '', control: 'zone' },
  },
});
