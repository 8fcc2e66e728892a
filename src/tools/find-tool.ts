/** Finds a tool by name, and suggests similar names if it does not exist. */
import type { Tool } from '../core/define-tool.ts';
import { badRequest, type ToolError, unknownTool } from '../core/errors.ts';
import { TOOLS } from './registry.ts';

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);

/** Returns the tool of this name. Throws 400 `tool_unknown` with similar names. */
export function toolNamed(name: unknown): Tool {
  if (name === undefined || name === null || name === '') {
    throw badRequest(
      '"tool" is missing: name the tool to run. GET /api/v1/tools lists them.',
      'tool',
    );
  }
  if (typeof name !== 'string') throw badRequest('"tool" must be a string.', 'tool');
  const tool = findTool(name);
  if (tool) return tool;
  throw noToolNamed(name);
}

/** 400 `tool_unknown` with similar names. */
export function noToolNamed(name: string): ToolError {
  const wanted = name.slice(0, 60).toWellFormed();
  const near = TOOLS.map((known) => known.name).filter((known) => alike(known, wanted));
  const advice =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'GET /api/v1/tools lists them.';
  return unknownTool(`There is no tool "${wanted}". ${advice}`);
}

/** Whether names share a word, or differ only in case and separators. */
function alike(known: string, wanted: string): boolean {
  const words = wanted
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
  const squeezed = words.join('');
  return (
    squeezed.length > 2 &&
    (known.replaceAll('_', '') === squeezed || words.every((word) => known.includes(word)))
  );
}
