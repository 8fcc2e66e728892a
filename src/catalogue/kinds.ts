/** The tools grouped by kind, in the order of the registry. */
import { KINDS, type Tool, type ToolKind } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';

/** All tools, grouped under the heading of their kind. */
export const toolsByKind = (): [heading: string, tools: Tool[]][] =>
  Object.keys(KINDS).map((kind) => [
    KINDS[kind as ToolKind],
    TOOLS.filter((tool) => tool.kind === kind),
  ]);
