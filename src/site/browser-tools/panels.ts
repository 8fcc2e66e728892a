/** The tools whose pages have their own form and script instead of the common ones. */
import type { FC } from 'hono/jsx';
import { DecodeQrCode } from './decode-qr-code.tsx';
import { PreviewMarkdown } from './preview-markdown.tsx';
import { TestRegex } from './test-regex.tsx';

export const PANELS: Record<string, FC> = {
  decode_qr_code: DecodeQrCode,
  preview_markdown: PreviewMarkdown,
  test_regex: TestRegex,
};
