import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { decodeQrCode } from './decode_qr_code.ts';

describe('decode_qr_code', () => {
  it('is listed and returns 501 with a link to its page', async () => {
    await expect(runTool(decodeQrCode, {})).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('/tools/decode_qr_code'),
    });
  });

  it('is on no surface and in no MCP domain', () => {
    expect(decodeQrCode).toMatchObject({ surfaces: [], domain: null });
    expect(decodeQrCode.run).toBeUndefined();
  });
});
