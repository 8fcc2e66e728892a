import { describe, expect, it } from 'vitest';
import { decodeQrCode } from './decode_qr_code.ts';

describe('decode_qr_code', () => {
  it('is on no surface and in no MCP domain', () => {
    expect(decodeQrCode).toMatchObject({ surfaces: [], domain: null });
    expect(decodeQrCode.run).toBeUndefined();
  });
});
