import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { generatePassword } from './generate_password.ts';

describe('generate_password', () => {
  it('is listed, and answers 501 naming its page', async () => {
    await expect(runTool(generatePassword, {})).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/generate_password'),
    });
  });

  it('is offered by no surface and no MCP domain', () => {
    expect(generatePassword).toMatchObject({ surfaces: [], domain: null });
    expect(generatePassword.run).toBeUndefined();
  });

  it('makes five passwords of 20 characters of every kind where nothing else is said', () => {
    expect(generatePassword.input.parse({})).toMatchObject({ length: 20, count: 5, symbols: true });
  });
});
