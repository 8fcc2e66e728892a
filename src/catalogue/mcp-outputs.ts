/**
 * Builds the output schemas of the endpoint for agents. They are short, because models read them in the list of tools.
 */
import type { Tool } from '../core/define-tool.ts';
import { type JsonSchema, resultSchema } from './json-schema.ts';

/**
 * Which tools are listed with an `outputSchema`: none, those with a short schema, or all. Only `all` includes
 * descriptions.
 */
export type ListedOutputs = 'none' | 'short' | 'all';

/** The maximum length of a short schema, in characters. It corresponds to about 60 tokens. */
const MAX_CHARACTERS = 200;

const FILE: Record<string, JsonSchema> = {
  url: { type: 'string' },
  filename: { type: 'string' },
  contentType: { type: 'string' },
  size: { type: 'integer' },
};

export function outputSchema(tool: Tool, listed: ListedOutputs): JsonSchema | undefined {
  if (listed === 'none') return undefined;
  const schema = schemaOf(tool, listed === 'all');
  const isShort =
    Object.keys(schema.properties).length > 0 && JSON.stringify(schema).length <= MAX_CHARACTERS;
  return listed === 'all' || isShort ? schema : undefined;
}

function schemaOf(tool: Tool, described: boolean) {
  const { properties = {} } = loosened(resultSchema(tool) ?? {}, described);
  const { dataUrl, ...fields } = properties;
  return {
    type: 'object',
    properties: {
      // The endpoint for agents returns a link to the stored image instead of its data.
      ...(dataUrl && { url: { type: 'string' } }),
      ...(tool.produces && FILE),
      ...fields,
    },
  };
}

/** Drops constraints that a truncated result may violate, such as required fields and minimum lengths. */
function loosened(schema: JsonSchema, described: boolean): JsonSchema {
  const loosen = (part: unknown) => loosened(part as JsonSchema, described);
  const { type, description, properties = {}, items, anyOf, enum: values, const: value } = schema;
  return {
    ...(type && { type }),
    ...(described && description !== undefined && { description }),
    ...(Object.keys(properties).length > 0 && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, loosen(property)]),
      ),
    }),
    ...(items !== undefined && { items: loosen(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(loosen) }),
    ...(values !== undefined && { enum: values }),
    ...(value !== undefined && { const: value }),
  };
}
