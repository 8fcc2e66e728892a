import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { testRegex } from './test_regex.ts';

describe('test_regex', () => {
  it('is listed and returns 501 with a link to its page', async () => {
    await expect(runTool(testRegex, { pattern: 'a', text: 'a' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/test_regex'),
    });
  });

  it('is on no surface and in no MCP domain', () => {
    expect(testRegex).toMatchObject({ surfaces: [], domain: null });
    expect(testRegex.run).toBeUndefined();
  });

  it('searches globally by default', () => {
    expect(testRegex.input.parse({ pattern: 'a', text: 'a' }).flags).toBe('g');
  });
});
