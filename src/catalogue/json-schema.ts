/** JSON Schemas of a tool's parameters and results, derived from its definition. */
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import { linkNameOf } from '../execute/input-files.ts';

export type JsonSchema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** Everything that may stand in `parameters` of an execute call, the links to stored files among it. */
export function parametersSchema(tool: Tool): JsonSchema {
  const schema = bodySchema(tool.input);
  const properties = { ...schema.properties };
  const link = linkNameOf(tool);
  if (link) properties[link] = linkSchema(tool);
  return { ...schema, properties };
}

/** The JSON result, or null where the result is a file. */
export function resultSchema(tool: Tool): JsonSchema | null {
  return tool.output ? strip(z.toJSONSchema(tool.output) as JsonSchema) : null;
}

/** The JSON body of a request. */
export const bodySchema = (body: z.ZodObject): JsonSchema =>
  strip(z.toJSONSchema(body, { io: 'input' }) as JsonSchema);

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
