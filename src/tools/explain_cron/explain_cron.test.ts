import { afterEach, describe, expect, it, vi } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { explainCronHere } from './in-browser.ts';

const explain = async (expression: string, timeZone = 'Europe/Berlin') =>
  (await runTool(explainCronHere, { expression, timeZone })).value;

describe('explain_cron', () => {
  afterEach(() => vi.useRealTimers());

  it('describes an expression and returns its next runs', async () => {
    vi.setSystemTime('2026-11-20T12:00:00Z');
    expect(await explain('30 9 * * MON-FRI')).toMatchObject({
      Meaning: expect.stringMatching(/^At 09:30.*Monday through Friday$/),
      'Run 1': expect.stringMatching(/^Monday,? 23 November 2026 at 09:30:00/),
      'Run 5': expect.stringContaining('27 November 2026'),
    });
  });

  it('keeps the hour across daylight saving changes', async () => {
    vi.setSystemTime('2026-10-24T12:00:00Z');
    const { 'Run 1': before, 'Run 2': after } = await explain('0 9 * * *');
    expect([before, after]).toEqual([
      expect.stringMatching(/25 October 2026 at 09:00:00/),
      expect.stringMatching(/26 October 2026 at 09:00:00/),
    ]);
  });

  it.each(['', '61 * * * *', '* * *', 'every day'])(
    'rejects %j and names the field',
    async (expression) => {
      await expect(explain(expression)).rejects.toMatchObject({ status: 400, param: 'expression' });
    },
  );

  it('reports a date that never occurs', async () => {
    expect(await explain('0 0 31 2 *')).toMatchObject({
      'Next runs': 'None, because this date never occurs',
    });
  });

  it('explains that @reboot runs when cron starts', async () => {
    expect(await explain('@reboot')).toEqual({
      Meaning: 'Once, each time that the machine (more precisely, cron) starts',
      'Next runs': 'No times to list, because the runs do not depend on the clock',
    });
  });

  it.each(['0 0 1 * 1', '0 0 0 1 * MON', '0 0 31 2 1'])(
    'notes that %s runs on days that match either field',
    async (expression) => {
      expect((await explain(expression)).Note).toMatch(/both set.* match either\.$/);
    },
  );

  it('notes that some crons require both days if one starts with *', async () => {
    expect((await explain('0 0 */2 * 1')).Note).toMatch(/match either\. Some crons require both/);
  });

  it.each(['0 0 1 * *', '0 0 * * 1', '0 0 1 * ?', '0 0 ? * 1', '@weekly'])(
    'adds no note to %s',
    async (expression) => {
      expect(await explain(expression)).not.toHaveProperty('Note');
    },
  );

  it('rejects an unknown time zone', async () => {
    await expect(explain('@daily', 'Mars/Olympus')).rejects.toMatchObject({ param: 'timeZone' });
  });
});
