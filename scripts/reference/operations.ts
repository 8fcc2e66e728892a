/** Reads the operations of the OpenAPI document. */
import type { JsonSchema } from '../../src/catalogue/json-schema.ts';

type Content = Record<string, { schema?: JsonSchema }>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  schema?: JsonSchema;
  required?: boolean;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; $ref?: string; content?: Content }>;
}

/** The placeholder for the base URL. The server replaces it when it serves a page. */
export const BASE_URL = '{base_url}';
export const DEPLOYMENT = { baseUrl: BASE_URL, serviceName: '', requireSignIn: false };
const BODIES = ['application/json', 'multipart/form-data'];

/** Returns the schema of a JSON body or of a form. */
export const schemaIn = (content: Content | undefined): JsonSchema | undefined =>
  BODIES.map((type) => content?.[type]?.schema).find((schema) => schema !== undefined);

export function operationsOf(description: JsonSchema) {
  const paths = description.paths as Record<string, Record<string, unknown>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'post', 'delete'].flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      if (!operation) return [];
      const shared = (item.parameters ?? []) as Parameter[];
      const parameters = [...shared, ...(operation.parameters ?? [])];
      return [{ path, method: method.toUpperCase(), operation: { ...operation, parameters } }];
    }),
  );
}
