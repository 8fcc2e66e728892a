import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { hashText } from './hash_text.ts';

describe('hash_text', () => {
  it('is listed, and answers 501 naming its page', async () => {
    await expect(runTool(hashText, { text: 'a' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/hash_text'),
    });
  });

  it('is offered by no surface and no MCP domain', () => {
    expect(hashText).toMatchObject({ surfaces: [], domain: null });
    expect(hashText.run).toBeUndefined();
  });

  it('takes SHA-256 where no algorithm is named', () => {
    expect(hashText.input.parse({ text: 'a' }).algorithm).toBe('SHA-256');
  });
});
