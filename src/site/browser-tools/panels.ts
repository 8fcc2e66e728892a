/** Lists the tools whose pages have their own form and script instead of the common ones. */
import type { FC } from 'hono/jsx';
import type { Tool } from '../../core/define-tool.ts';
import { DecodeQrCode } from './decode-qr-code.tsx';
import { PreviewMarkdown } from './preview-markdown.tsx';
import { RotatePdf } from './rotate-pdf.tsx';
import { TestRegex } from './test-regex.tsx';

export const PANELS: Record<string, FC<{ tool: Tool }>> = {
  decode_qr_code: DecodeQrCode,
  preview_markdown: PreviewMarkdown,
  rotate_pdf: RotatePdf,
  test_regex: TestRegex,
};
