/** Groups the tools by kind, in the order of the registry. */
import { KINDS, type Tool, type ToolKind } from '../core/define-tool.ts';
import { findTool } from '../tools/find-tool.ts';
import { TOOLS } from '../tools/registry.ts';

/** The most-used tools, in their order on the home page. */
const POPULAR = [
  ...['compress_pdf', 'merge_pdf', 'compress_image', 'images_to_pdf'],
  ...['extract_text_ocr', 'screenshot_url', 'generate_qr_code', 'compare_text'],
];

export const mostUsed = (): Tool[] => POPULAR.map((name) => findTool(name)!);

export const toolsByKind = (): [heading: string, tools: Tool[], kind: ToolKind][] =>
  (Object.keys(KINDS) as ToolKind[]).map((kind) => [
    KINDS[kind],
    TOOLS.filter((tool) => tool.kind === kind),
    kind,
  ]);
