import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { hashText } from './hash_text.ts';
import { hashTextHere } from './in-browser.ts';

describe('hash_text', () => {
  it('is listed and returns 501 with a link to its page', async () => {
    await expect(runTool(hashText, { text: 'a' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/hash_text'),
    });
  });

  it('is on no surface and in no MCP domain', () => {
    expect(hashText).toMatchObject({ surfaces: [], domain: null });
    expect(hashText.run).toBeUndefined();
  });

  it.each([
    ['SHA-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['MD5', '900150983cd24fb0d6963f7d28e17f72'],
  ])('computes %s in the browser', async (algorithm, digest) => {
    const { value } = await runTool(hashTextHere, { text: 'abc', algorithm });
    expect(value).toEqual({ [algorithm]: digest });
  });

  it('uses SHA-256 by default', () => {
    expect(hashText.input.parse({ text: 'a' }).algorithm).toBe('SHA-256');
  });
});
