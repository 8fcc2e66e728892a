/** How many tools there are, and where each can be used. */
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';
import { ENDPOINTS } from './mcp-endpoints.ts';

/** For a sentence: "36 tools: 30 over the API, 28 of them over MCP, the rest in the browser." */
export function toolCounts(): { all: number; api: number; mcp: number; browser: number } {
  const api = TOOLS.filter(isExecutable).length;
  const mcp = ENDPOINTS[0]!.tools.length;
  return { all: TOOLS.length, api, mcp, browser: TOOLS.length - api };
}

/** The sentence, without its full stop. */
export function countsText(): string {
  const { all, api, mcp } = toolCounts();
  return `${all} tools: ${api} over the API, ${mcp} of them over MCP, the rest in the browser`;
}
