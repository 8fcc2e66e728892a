import { describe, expect, it } from 'vitest';
import { previewMarkdown } from './preview_markdown.ts';

describe('preview_markdown', () => {
  it('is on no surface and in no MCP domain', () => {
    expect(previewMarkdown).toMatchObject({ surfaces: [], domain: null });
    expect(previewMarkdown.run).toBeUndefined();
  });
});
