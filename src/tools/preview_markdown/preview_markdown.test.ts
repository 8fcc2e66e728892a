import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { previewMarkdown } from './preview_markdown.ts';

describe('preview_markdown', () => {
  it('is listed and returns 501 with a link to its page', async () => {
    await expect(runTool(previewMarkdown, { markdown: '*a*' })).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/preview_markdown'),
    });
  });

  it('is on no surface and in no MCP domain', () => {
    expect(previewMarkdown).toMatchObject({ surfaces: [], domain: null });
    expect(previewMarkdown.run).toBeUndefined();
  });
});
