/** Derives the JSON Schemas of a tool's parameters and results from its definition. */
import * as z from 'zod';
import { linkNameOf, type Tool } from '../core/define-tool.ts';

export type JsonSchema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** Returns all parameters of an execute call, including the links to stored files. */
export function parametersOf(tool: Tool): z.ZodObject {
  const link = linkNameOf(tool);
  return link ? tool.input.safeExtend({ [link]: linkParameter(tool).optional() }) : tool.input;
}

export const parametersSchema = (tool: Tool): JsonSchema =>
  strip(z.toJSONSchema(parametersOf(tool), { io: 'input' }) as JsonSchema);

/** Returns the schema of the JSON result, or null if the result is a file. */
export function resultSchema(tool: Tool): JsonSchema | null {
  return tool.output ? strip(z.toJSONSchema(tool.output) as JsonSchema) : null;
}

function linkParameter(tool: Tool): z.ZodType {
  const { min = 1, max = 1 } = tool.files ?? {};
  const uri = z.string().meta({ format: 'uri' });
  if (max === 1) {
    return uri.describe(
      'The link to a stored file, as returned by upload_file. Send it instead of uploading the file.',
    );
  }
  return z
    .array(uri)
    .min(min)
    .max(max)
    .describe(
      'The links to stored files in order, as returned by upload_file. Send them instead of uploading the files.',
    );
}

function strip({ $schema, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
