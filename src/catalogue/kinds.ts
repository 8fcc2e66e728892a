/** The tools by kind, in the order of the registry, for people who look for one. */
import { KINDS, type Tool, type ToolKind } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';

/** Every tool, under the heading of its kind. */
export const toolsByKind = (): [heading: string, tools: Tool[]][] =>
  Object.keys(KINDS).map((kind) => [
    KINDS[kind as ToolKind],
    TOOLS.filter((tool) => tool.kind === kind),
  ]);
