import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { rotatePdf } from './rotate_pdf.ts';

describe('rotate_pdf', () => {
  it('is listed and returns 501 with a link to its page', async () => {
    await expect(runTool(rotatePdf, {})).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/rotate_pdf'),
    });
  });

  it('is on no surface and in no MCP domain', () => {
    expect(rotatePdf).toMatchObject({ surfaces: [], domain: null });
    expect(rotatePdf.run).toBeUndefined();
  });
});
