/** Builds the OpenAPI 3.1 description of the API from the schemas of the tools and of the other endpoints. */
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { Deployment } from './discovery.ts';
import type { JsonSchema } from './json-schema.ts';
import { chainPaths } from './openapi-chains.ts';
import { contentPaths } from './openapi-content.ts';
import { filePaths } from './openapi-files.ts';
import { jobPaths } from './openapi-jobs.ts';
import { mcpPaths } from './openapi-mcp.ts';
import { BAD_KEY, error } from './openapi-shared.ts';
import { toolOperationPaths } from './openapi-tool-paths.ts';
import { toolPaths } from './openapi-tools.ts';
import { usagePaths } from './openapi-usage.ts';
import { VERSION } from './version.ts';

/**
 * Adds the errors that every operation can return, and the errors that every operation with a body can return. An
 * operation's own descriptions take precedence.
 */
const withCommonErrors = (operation: ZodOpenApiOperationObject): ZodOpenApiOperationObject => ({
  ...operation,
  responses: {
    401: error(`Unauthorized: ${BAD_KEY}`),
    500: error('The service failed'),
    ...(operation.requestBody && {
      403: error('The request is from a page of another origin, or the caller is blocked'),
      413: error('The body is larger than 8 MB or has more than 200,000 JSON values'),
      415: error('The body is not JSON'),
    }),
    ...operation.responses,
  },
});

const METHODS = ['get', 'post', 'delete'] as const;

const complete = (paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        return operation ? [[method, withCommonErrors(operation)] as const] : [];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );

/**
 * Moves the defaults of all schemas in a document into their descriptions, because client generators treat a parameter
 * with a default as required.
 */
function describeDefaults(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as { type?: unknown; default?: unknown; description?: string };
  if (schema.default !== undefined && typeof schema.type === 'string') {
    const { description = '' } = schema;
    schema.description = `${description} Default: ${JSON.stringify(schema.default)}.`.trim();
    delete schema.default;
  }
  for (const [name, part] of Object.entries(value))
    if (!/^examples?$/.test(name)) describeDefaults(part);
}

function makeDocument() {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: '', version: VERSION },
      paths: complete({
        ...toolPaths,
        ...toolOperationPaths,
        ...contentPaths,
        ...usagePaths,
        ...chainPaths,
        ...jobPaths,
        ...filePaths,
        ...mcpPaths,
      }),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    {
      allowEmptySchema: { unknown: true },
      override: ({ jsonSchema, io }) => {
        // Results may gain fields in v1, so clients must accept unknown fields.
        if (io === 'output' && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
      },
    },
  );
  describeDefaults(document);
  return document;
}

let made: ReturnType<typeof makeDocument> | undefined;

/** Returns the whole API description of a service. */
export function openApi({ baseUrl, serviceName, requireSignIn }: Deployment): JsonSchema {
  made ??= makeDocument();
  const { openapi, paths, components } = made;
  return {
    openapi,
    info: {
      title: `${serviceName} API`,
      version: VERSION,
      description: requireSignIn
        ? "Developer tools over HTTP. Every call needs an account's API key as a Bearer token."
        : 'Developer tools over HTTP. No key is required. An API key raises the rate limits and records your usage.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: requireSignIn ? [{ bearer: [] }] : [{}, { bearer: [] }],
    paths,
    components,
  };
}
