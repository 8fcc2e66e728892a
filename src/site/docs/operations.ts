/** The operations of the OpenAPI document with resolved references. */
import type { JsonSchema } from '../../catalogue/json-schema.ts';
import { findTool } from '../../tools/find-tool.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema?: JsonSchema;
}

type Content = Record<string, { schema?: JsonSchema }>;

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  parameters: Parameter[];
  /** The JSON body, if it takes one. */
  body?: JsonSchema;
  takesFiles: boolean;
  responses: { status: string; description: string; result?: JsonSchema }[];
}

interface Described {
  operationId?: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export function operationsOf(description: JsonSchema): Operation[] {
  const { schemas } = description.components as { schemas: Record<string, JsonSchema> };
  const follow = (schema: JsonSchema): JsonSchema => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref ?? ''))?.[1];
    return name ? schemas[name]! : schema;
  };
  const resolved = (content: Content | undefined): JsonSchema | undefined => {
    const schema = content?.['application/json']?.schema;
    return schema && asOneObject(follow(schema), follow);
  };
  const paths = description.paths as Record<string, Record<string, Described>>;
  // The page has a section for each tool instead of its operation.
  const others = Object.entries(paths).filter(([path]) => !findTool(path.split('/').at(-1)!));
  return others.flatMap(([path, methods]) => {
    const shared = (methods.parameters ?? []) as unknown as Parameter[];
    return (
      Object.entries(methods)
        // A path item may have parameters besides its methods.
        .filter(([, operation]) => operation.operationId !== undefined)
        .map(
          ([method, operation]): Operation => ({
            id: operation.operationId!,
            method: method.toUpperCase(),
            path,
            summary: operation.summary,
            parameters: [...shared, ...(operation.parameters ?? [])],
            body: resolved(operation.requestBody?.content),
            takesFiles: 'multipart/form-data' in (operation.requestBody?.content ?? {}),
            responses: Object.entries(operation.responses).map(([status, response]) => ({
              status,
              description: response.description,
              result: status.startsWith('2') ? resolved(response.content) : undefined,
            })),
          }),
        )
    );
  });
}

/** Merges a choice between objects into one object: the fields of the first, each as it is in all of them. */
function asOneObject(
  schema: JsonSchema | undefined,
  follow: (schema: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  const choices = (schema?.oneOf as JsonSchema[] | undefined)?.map(follow);
  const [first] = choices ?? [];
  if (!choices || !first?.properties) return schema;
  const fields = Object.keys(first.properties).map((name): [string, JsonSchema] => {
    const all = choices.map(({ properties }) => properties?.[name]);
    const values = all.flatMap((field) => field?.const ?? []);
    if (values.length > 0) return [name, { enum: values }];
    const isSame = all.every((field) => JSON.stringify(field) === JSON.stringify(all[0]));
    return [name, isSame ? all[0]! : { type: 'object' }];
  });
  const required = first.required?.filter((name) =>
    choices.every((choice) => choice.required?.includes(name)),
  );
  return { type: 'object', properties: Object.fromEntries(fields), ...(required && { required }) };
}
