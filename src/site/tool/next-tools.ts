/** Lists the tools to which a page can send the file that a tool returned. */
import type { Tool } from '../../core/define-tool.ts';
import { TOOLS } from '../../tools/registry.ts';
import { isBatch } from './batch.ts';
import type { NextTool } from './next-tool.ts';

/** Returns the other tools that take files of known types. Returns an empty list if the tool does not return a file. */
export function nextToolsOf(tool: Tool): NextTool[] {
  if (!tool.produces && !tool.output?.shape.url) return [];
  return TOOLS.filter((other) => other !== tool && other.files)
    .map(({ name, title, files }) => ({
      name,
      title,
      kinds: (files!.extensions ?? files!.kinds).filter((kind) => kind !== 'any'),
      isMultiple: files!.max > 1 || isBatch(files!),
    }))
    .filter(({ kinds }) => kinds.length > 0);
}
