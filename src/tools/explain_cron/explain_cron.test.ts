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

  it.each([
    ['0 0 * * FRI-MON', 'The weekday range FRI-MON goes backward. Write FRI-SAT,SUN-MON instead.'],
    ['0 0 * * WED,sat-mon', 'The weekday range sat-mon goes backward. Write SAT,SUN-MON instead.'],
    ['0 22-6 * * *', 'The hour range 22-6 goes backward. Write 22-23,0-6 instead.'],
    ['0 0 1 NOV-FEB *', 'The month range NOV-FEB goes backward. Write NOV-DEC,JAN-FEB instead.'],
    ['* * 32 * *', 'The day of the month 32 is invalid. Use *, or values from 1 to 31.'],
    ['x 0 * * * *', 'The second x is invalid. Use *, or values from 0 to 59.'],
    ['0 0 * * FOO', 'The weekday FOO is invalid. Use *, or values from 0 to 6 or SUN to SAT.'],
    ['*/0 * * * *', 'The minute */0 is invalid: illegal stepping: 0.'],
    ['1,,2 * * * *', 'The minute 1,,2 is invalid. Use *, or values from 0 to 59.'],
    ['@often', '@often is unknown. Use @hourly, @daily, @weekly, @monthly, @yearly or @reboot.'],
  ])('names the invalid field of %s', async (expression, message) => {
    await expect(explain(expression)).rejects.toMatchObject({ message, param: 'expression' });
  });

  it.each([
    ['0 0 * * * /usr/bin/x --y', 'At 00:00, every day', '/usr/bin/x --y'],
    ['0 0 * * * root run-parts /etc', 'At 00:00, every day', 'root run-parts /etc'],
    ['0 0 9 * * MON-FRI x', expect.stringContaining('Monday through Friday'), 'x'],
    ['@daily /usr/bin/x', expect.any(String), '/usr/bin/x'],
    ['@reboot /usr/bin/x', expect.any(String), '/usr/bin/x'],
  ])('names the command in %s, which it does not explain', async (line, meaning, command) => {
    expect(await explain(line)).toMatchObject({
      Meaning: meaning,
      'Read as': expect.stringContaining(`and the command ${command}`),
    });
  });

  it.each(['30 0 9 * * *', '0 0 9 * * MON,FRI#2', '0 0 9 * * 5L', '0 0 9 ? * 1-5/2'])(
    'reads %s as a schedule with seconds',
    async (expression) => {
      const explained = await explain(expression);
      expect(explained).not.toHaveProperty('Read as');
      expect(explained['Run 1']).toMatch(/09:00:/);
    },
  );

  it('rejects a seventh field', async () => {
    await expect(explain('0 0 9 1 1 * 2027')).rejects.toMatchObject({
      message: expect.stringContaining('but this one has 7'),
    });
  });

  it('reports a date that never occurs', async () => {
    expect(await explain('0 0 31 2 *')).toMatchObject({
      'Next runs': 'None, because this date never occurs',
    });
  });

  it('explains that @reboot runs when cron starts', async () => {
    expect(await explain('@reboot')).toEqual({
      Meaning: 'Each time that cron starts, usually when the machine boots',
      'Next runs': 'No times to list, because the runs do not depend on the clock',
    });
  });

  it.each(['0 0 1 * 1', '0 0 0 1 * MON', '0 0 31 2 1'])(
    'notes that %s runs on days that match either field',
    async (expression) => {
      expect((await explain(expression)).Note).toMatch(/both set.* match either\.$/);
    },
  );

  it('joins a day of the month and a weekday by "or"', async () => {
    const { Meaning } = await explain('0 0 13 * 5');
    expect(Meaning).toBe('At 00:00, on day 13 of the month, or on Friday');
  });

  it('notes that some crons require both days if one starts with *', async () => {
    expect((await explain('0 0 */2 * 1')).Note).toMatch(
      /match either\. Some cron implementations require both/,
    );
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
