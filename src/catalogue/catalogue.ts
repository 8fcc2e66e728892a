/** Builds the tool catalogue (api.md, Tool catalogue entry) from the registry. */
import type { Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { type JsonSchema, parametersSchema } from './json-schema.ts';

export interface CatalogueEntry {
  name: string;
  description: string;
  parameters: JsonSchema;
  executable: boolean;
}

export interface Catalogue {
  tools: CatalogueEntry[];
  count: number;
  executableCount: number;
}

export const isExecutable = (tool: Tool): boolean => tool.run !== undefined;

let body: Catalogue | undefined;

/** Returns all tools in registry order. The catalogue is built only once. */
export function catalogue(): Catalogue {
  body ??= {
    tools: TOOLS.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: parametersSchema(tool),
      executable: isExecutable(tool),
    })),
    count: TOOLS.length,
    executableCount: TOOLS.filter(isExecutable).length,
  };
  return body;
}
