/** JSON Schemas of a tool's parameters and results, derived from its definition. */
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import { linkNameOf } from '../execute/input-files.ts';

export type JsonSchema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** The schema of `parameters` in an execute call, including links to stored files. */
export function parametersSchema(tool: Tool): JsonSchema {
  const schema = strip(z.toJSONSchema(tool.input, { io: 'input' }) as JsonSchema);
  const properties = { ...schema.properties };
  const link = linkNameOf(tool);
  if (link) properties[link] = linkSchema(tool);
  return { ...schema, properties };
}

/** The schema of the JSON result; null if the result is a file. */
export function resultSchema(tool: Tool): JsonSchema | null {
  return tool.output ? strip(z.toJSONSchema(tool.output) as JsonSchema) : null;
}

function linkSchema(tool: Tool): JsonSchema {
  const several = (tool.files?.max ?? 1) > 1;
  const uri = { type: 'string', format: 'uri' };
  if (!several) {
    return {
      ...uri,
      description: 'Link to the stored file, as upload_file returns it, instead of an upload.',
    };
  }
  return {
    type: 'array',
    items: uri,
    minItems: tool.files?.min,
    maxItems: tool.files?.max,
    description:
      'Links to the stored files, in order, as upload_file returns them, instead of uploads.',
  };
}

function strip({ $schema, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
