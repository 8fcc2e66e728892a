/** The name under which usage is listed: a tool, or a part of the service if no tool was called. */
import type { Surface } from '../../access/surfaces.ts';

const NAMES: { [name in Surface]?: string } = {
  execution: 'unknown tool',
  mcp: 'MCP',
  catalogue: 'tool list',
  content: 'documents',
};

/** `tool` is a tool or a surface (UsageEntry). */
export const usageName = (tool: string): string => NAMES[tool as Surface] ?? tool;
