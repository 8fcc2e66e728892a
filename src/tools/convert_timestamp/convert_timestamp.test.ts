import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertTimestamp } from './convert_timestamp.ts';
import { convertTimestampHere } from './in-browser.ts';

describe('convert_timestamp', () => {
  it.each([
    ['1735689600', '2025-01-01T00:00:00.000Z'],
    ['1735689600123', '2025-01-01T00:00:00.123Z'],
    ['1735689600123456', '2025-01-01T00:00:00.123Z'],
    ['1735689600123456789', '2025-01-01T00:00:00.123Z'],
    ['-1', '1969-12-31T23:59:59.000Z'],
    ['2025-07-01 02:00', '2025-07-01T00:00:00.000Z'],
    ['2025-01-01T00:00:00-05:00', '2025-01-01T05:00:00.000Z'],
    ['1,700,000,000', '2023-11-14T22:13:20.000Z'],
    ['-1_700_000_000.5', '1916-02-18T01:46:39.500Z'],
    ['2026/11/27 10:00', '2026-11-27T09:00:00.000Z'],
    ['2026/1/5', '2026-01-04T23:00:00.000Z'],
    ['Fri, 27 Nov 2026 19:46:49 GMT', '2026-11-27T19:46:49.000Z'],
    ['27 Nov 2026 19:46:49 +0000', '2026-11-27T19:46:49.000Z'],
    ['Fri, 27 Nov 2026 14:46:49 -0500 (EST)', '2026-11-27T19:46:49.000Z'],
    ['27 nov 2026 14:46 est', '2026-11-27T19:46:00.000Z'],
    ['5 September 2026', '2026-09-04T22:00:00.000Z'],
    ['Nov 27, 2026 8:46 PM', '2026-11-27T19:46:00.000Z'],
    ['2026-11-27 12:05 am', '2026-11-26T23:05:00.000Z'],
    [
      'Fri Nov 27 2026 20:46:49 GMT+0100 (Central European Standard Time)',
      '2026-11-27T19:46:49.000Z',
    ],
    ['Friday 27 November 2026 at 20:46:49 CET', '2026-11-27T19:46:49.000Z'],
    ['Saturday, 28 November 2026 at 01:16:49 GMT+5:30', '2026-11-27T19:46:49.000Z'],
    ['0050-01-01 12:00', '0050-01-01T11:06:32.000Z'],
  ])('reads %s in the browser', async (value, iso) => {
    const shown = await runTool(convertTimestampHere, { value, timeZone: 'Europe/Berlin' });
    expect(shown.value['ISO 8601']).toBe(iso);
  });

  it.each([
    ['2025-03-09 02:30', 'America/New_York', '2025-03-09T03:30:00.000-04:00', 'skip'],
    ['2024-03-31 02:30', 'Europe/Berlin', '2024-03-31T03:30:00.000+02:00', 'skip'],
    ['2024-11-03 01:30', 'America/New_York', '2024-11-03T01:30:00.000-04:00', 'earlier of two'],
    ['2024-10-27 02:30', 'Europe/Berlin', '2024-10-27T02:30:00.000+02:00', 'earlier of two'],
    ['2024-10-27 03:30', 'Europe/Berlin', '2024-10-27T03:30:00.000+01:00', 'Berlin'],
  ])('reads %s in %s, when the clocks change, as %s', async (value, timeZone, local, readAs) => {
    const { value: shown } = await runTool(convertTimestampHere, { value, timeZone });
    expect(shown['ISO 8601, local']).toBe(local);
    expect(shown['Read as']).toContain(readAs);
  });

  it('returns the local time with its offset', async () => {
    const parameters = { value: '1735689600', timeZone: 'America/St_Johns' };
    const { value } = await runTool(convertTimestampHere, parameters);
    expect(value['ISO 8601, local']).toBe('2024-12-31T20:30:00.000-03:30');
  });

  it.each([
    ['2026-11-27T19:46:49Z', 'Europe/Berlin'],
    ['2026-10-25T00:30:00Z', 'Europe/London'],
    ['2026-10-25T01:30:00Z', 'Europe/London'],
    ['2026-11-27T19:46:49Z', 'Asia/Dubai'],
    ['2026-11-27T19:46:49Z', 'America/St_Johns'],
    ['1800-02-01T00:00:00Z', 'Europe/Berlin'],
    ['0026-02-01T00:00:00Z', 'Asia/Kolkata'],
    ['-000312-05-29T16:00:00Z', 'Europe/Berlin'],
    ['+012026-05-29T16:00:00Z', 'America/New_York'],
  ])('reads each of its notations of %s in %s', async (value, timeZone) => {
    const { value: shown } = await runTool(convertTimestampHere, { value, timeZone });
    for (const name of ['ISO 8601', 'ISO 8601, local', 'UTC', timeZone]) {
      const again = await runTool(convertTimestampHere, { value: shown[name], timeZone: 'UTC' });
      expect([shown[name], again.value['ISO 8601']]).toEqual([shown[name], shown['ISO 8601']]);
    }
  });

  it.each(['Unix, seconds', 'Unix, milliseconds'])('reads its %s', async (name) => {
    const { value: shown } = await runTool(convertTimestampHere, { value: '2026-11-27 10:00' });
    const again = await runTool(convertTimestampHere, { value: shown[name] });
    expect(again.value['ISO 8601']).toBe(shown['ISO 8601']);
  });

  it('shows the zone under the name that was entered', async () => {
    const { value } = await runTool(convertTimestampHere, { value: '2026-01-01', timeZone: 'CET' });
    expect(value).toMatchObject({
      'Read as': 'a date in CET',
      CET: expect.stringContaining('00:00:00 CET'),
    });
    expect(JSON.stringify(value)).not.toContain('Europe/');
  });

  it.each([
    ['2025-02-31', undefined, 'does not exist'],
    ['31 Feb 2025', undefined, 'does not exist'],
    ['27 Foo 2026', undefined, 'does not exist'],
    ['27 Nov 2026 25:00', undefined, 'does not exist'],
    ['27 Nov 2026 10:00 IST', undefined, 'zone IST is unknown. Enter an offset'],
    ['27 Nov 26', undefined, 'Enter Unix time'],
    ['27 Nov 2026 13:00 PM', undefined, 'does not exist'],
    ['27 Nov 2026 10:00 +99:00', undefined, 'zone +99:00 is unknown'],
    ['11/27/2026', undefined, 'order of day and month in 11/27/2026 is unclear'],
    ['03/04/2026 10:00', undefined, 'Begin with the year, as in 2026-11-27'],
    ['03.04.26', undefined, 'is unclear'],
    ['1,70', undefined, 'Enter Unix time'],
    ['tomorrow', undefined, 'Enter Unix time'],
    ['1e9', undefined, 'Enter Unix time'],
    ['now', 'Mars/Olympus', 'time zone Mars/Olympus is unknown'],
    ['now', 'Zurich', 'zone Zurich is unknown. Did you mean Europe/Zurich?'],
    ['now', 'new york', 'Did you mean America/New_York?'],
  ])('rejects %s in the zone %s', async (value, timeZone, message) => {
    await expect(runTool(convertTimestampHere, { value, timeZone })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  it('requires a value but no time zone', () => {
    expect(convertTimestamp.input.safeParse({}).success).toBe(false);
    expect(convertTimestamp.input.safeParse({ value: 'now' }).success).toBe(true);
  });
});
