import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertTimestamp } from './convert_timestamp.ts';
import { convertTimestampHere } from './in-browser.ts';

describe('convert_timestamp', () => {
  it('is listed and returns 501 with a link to its page', async () => {
    await expect(runTool(convertTimestamp, { value: '0' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/convert_timestamp'),
    });
  });

  it('is on no surface and in no MCP domain', () => {
    expect(convertTimestamp).toMatchObject({ surfaces: [], domain: null });
    expect(convertTimestamp.run).toBeUndefined();
  });

  it.each([
    ['1735689600', '2025-01-01T00:00:00.000Z'],
    ['1735689600123', '2025-01-01T00:00:00.123Z'],
    ['1735689600123456', '2025-01-01T00:00:00.123Z'],
    ['1735689600123456789', '2025-01-01T00:00:00.123Z'],
    ['-1', '1969-12-31T23:59:59.000Z'],
    ['2025-07-01 02:00', '2025-07-01T00:00:00.000Z'],
    ['2025-01-01T00:00:00-05:00', '2025-01-01T05:00:00.000Z'],
  ])('reads %s in the browser', async (value, iso) => {
    const shown = await runTool(convertTimestampHere, { value, timeZone: 'Europe/Berlin' });
    expect(shown.value['ISO 8601']).toBe(iso);
  });

  it.each([
    ['2025-03-09 02:30', 'America/New_York', '2025-03-09T03:30:00.000-04:00', 'skip'],
    ['2024-03-31 02:30', 'Europe/Berlin', '2024-03-31T03:30:00.000+02:00', 'skip'],
    ['2024-11-03 01:30', 'America/New_York', '2024-11-03T01:30:00.000-04:00', 'first of two'],
    ['2024-10-27 02:30', 'Europe/Berlin', '2024-10-27T02:30:00.000+02:00', 'first of two'],
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
    ['2025-02-31', undefined, 'does not exist'],
    ['tomorrow', undefined, 'Enter Unix time'],
    ['1e9', undefined, 'Enter Unix time'],
    ['now', 'Mars/Olympus', 'time zone Mars/Olympus is unknown'],
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
