import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertTimestamp } from './convert_timestamp.ts';

describe('convert_timestamp', () => {
  it('is listed, and answers 501 naming its page', async () => {
    await expect(runTool(convertTimestamp, { value: '0' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/convert_timestamp'),
    });
  });

  it('is offered by no surface and no MCP domain', () => {
    expect(convertTimestamp).toMatchObject({ surfaces: [], domain: null });
    expect(convertTimestamp.run).toBeUndefined();
  });

  it('needs a value, and no time zone', () => {
    expect(convertTimestamp.input.safeParse({}).success).toBe(false);
    expect(convertTimestamp.input.safeParse({ value: 'now' }).success).toBe(true);
  });
});
