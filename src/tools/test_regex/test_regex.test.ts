import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { testRegex } from './test_regex.ts';

describe('test_regex', () => {
  it('is listed, and answers 501 naming its page', async () => {
    await expect(runTool(testRegex, { pattern: 'a', text: 'a' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/test_regex'),
    });
  });

  it('is offered by no surface and no MCP domain', () => {
    expect(testRegex).toMatchObject({ surfaces: [], domain: null });
    expect(testRegex.run).toBeUndefined();
  });

  it('searches globally where no flags are named', () => {
    expect(testRegex.input.parse({ pattern: 'a', text: 'a' }).flags).toBe('g');
  });
});
