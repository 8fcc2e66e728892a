/** Counts the tools, in total and per interface. */
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';
import { ENDPOINTS } from './mcp-endpoints.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Counts all tools and the tools of each interface, without those in `off`. `browser` is the number of tools that run
 * only in the browser.
 */
export function toolCounts(off = NONE): { all: number; api: number; mcp: number; browser: number } {
  const tools = TOOLS.filter(({ name }) => !off.has(name));
  const api = tools.filter(isExecutable).length;
  const mcp = ENDPOINTS[0]!.tools.filter(({ name }) => !off.has(name)).length;
  return { all: tools.length, api, mcp, browser: tools.length - api };
}

/** Returns the counts as a sentence without the final period. */
export function countsText(off = NONE): string {
  const { all, api, mcp } = toolCounts(off);
  return `${all} tools: ${api} over the API, ${mcp} of them over MCP, the rest in the browser`;
}
