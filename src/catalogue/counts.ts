/** Counts the tools, in total and per interface. */
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';
import { ENDPOINTS } from './mcp-endpoints.ts';

/** Counts all tools and the tools of each interface. `browser` is the number of tools that run only in the browser. */
export function toolCounts(): { all: number; api: number; mcp: number; browser: number } {
  const api = TOOLS.filter(isExecutable).length;
  const mcp = ENDPOINTS[0]!.tools.length;
  return { all: TOOLS.length, api, mcp, browser: TOOLS.length - api };
}

/** Returns the counts as a sentence without the final period. */
export function countsText(): string {
  const { all, api, mcp } = toolCounts();
  return `${all} tools: ${api} over the API, ${mcp} of them over MCP, the rest in the browser`;
}
