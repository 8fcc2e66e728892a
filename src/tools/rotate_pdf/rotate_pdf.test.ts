import { describe, expect, it } from 'vitest';
import { rotatePdf } from './rotate_pdf.ts';

describe('rotate_pdf', () => {
  it('is on no surface and in no MCP domain', () => {
    expect(rotatePdf).toMatchObject({ surfaces: [], domain: null });
    expect(rotatePdf.run).toBeUndefined();
  });
});
