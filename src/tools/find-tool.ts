/** Finds a tool by name, and suggests similar names if it does not exist. */
import type { Tool } from '../core/define-tool.ts';
import { badRequest, type ToolError, unknownTool } from '../core/errors.ts';
import { didYouMean, similarNames } from '../core/similar-names.ts';
import { TOOLS } from './registry.ts';

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);

/**
 * Returns the tool with this name. If it does not exist, throws 400 `tool_unknown` with similar names in the message.
 */
export function toolNamed(name: unknown): Tool {
  if (name === undefined || name === null || name === '') {
    throw badRequest(
      '"tool" is missing. Send the name of a tool: GET /api/v1/tools lists all tools.',
      'tool',
    );
  }
  if (typeof name !== 'string') throw badRequest('"tool" must be a string.', 'tool');
  const tool = findTool(name);
  if (tool) return tool;
  throw noToolNamed(name);
}

/** Returns a 400 error, `tool_unknown`, whose message suggests similar names. */
export function noToolNamed(name: string): ToolError {
  const wanted = name.slice(0, 60).toWellFormed();
  const question = didYouMean(similarNames(wanted, [...byName.keys()]));
  return unknownTool(
    `There is no tool "${wanted}".${question || ' GET /api/v1/tools lists all tools.'}`,
  );
}
