/** Names the entries of a usage list. An entry is a tool, or a part of the service if no tool was called. */
import type { GeneralLimit } from '../../access/general-limits.ts';

const NAMES: { [name in GeneralLimit]?: string } = {
  execution: 'unknown tool',
  mcp: 'MCP',
  catalogue: 'tool list',
  siteSearch: 'search on the site',
  content: 'documents',
};

/** @param tool a tool or a general limit, as in UsageEntry */
export const usageName = (tool: string): string => NAMES[tool as GeneralLimit] ?? tool;
