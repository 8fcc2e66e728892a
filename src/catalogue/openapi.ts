/** The OpenAPI 3.1 description of the API, derived from the registry and the error table. */
import type { Tool } from '../core/define-tool.ts';
import { ERROR_CODES } from '../core/errors.ts';
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';
import { contentPaths, contentSchemas } from './content-paths.ts';
import { bodySchema, type JsonSchema, parametersSchema, resultSchema } from './json-schema.ts';
import { chainPaths, chainSchemas } from './openapi-chains.ts';
import {
  accepted,
  idempotencyParameter,
  jobPaths,
  jobSchemas,
  OTHER_BODY,
  preferParameter,
  replayedHeader,
  STILL_AT_WORK,
} from './openapi-jobs.ts';
import { mcpPaths, mcpSchemas } from './openapi-mcp.ts';
import { uploadRequest } from './request-bodies.ts';
import { usageSchema } from './usage-schema.ts';

/** The version that the API description declares (api.md, Versioning). */
export const VERSION = '2.0.0';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const jsonBody = (schema: JsonSchema) => ({ 'application/json': { schema } });
const errorAnswer = (description: string) => ({
  description,
  content: {
    'application/json': { schema: ref('Error') },
    'application/problem+json': { schema: ref('Problem') },
  },
});

const BAD_KEY = 'the key sent is wrong, revoked or expired';

interface Operation {
  requestBody?: object;
  responses?: object;
}

/** What every operation can answer, and every one with a body, where it says nothing more exact. */
function withCommonErrors(paths: JsonSchema): JsonSchema {
  const complete = (operation: Operation): Operation => ({
    ...operation,
    responses: {
      401: errorAnswer(`Unauthorized: ${BAD_KEY}`),
      500: errorAnswer('A fault of the service'),
      ...(operation.requestBody && {
        413: errorAnswer('The body is larger than 8 MB or has more than 200,000 JSON values'),
        415: errorAnswer('The body is not JSON'),
      }),
      ...operation.responses,
    },
  });
  return mapped(paths, (path) =>
    mapped(path, (entry) => ('responses' in entry ? complete(entry as Operation) : entry)),
  );
}

const mapped = (entries: object, change: (entry: object) => object): JsonSchema =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, change(entry)]));

/** The whole document for a service at `baseUrl`. */
export function openApi(baseUrl: string, serviceName: string): JsonSchema {
  const executable = TOOLS.filter(isExecutable);
  return {
    openapi: '3.1.0',
    info: {
      title: `${serviceName} API`,
      version: VERSION,
      description:
        'Developer tools over HTTP. No key is required; a bearer key raises rate limits and attributes usage.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{}, { bearer: [] }],
    paths: withCommonErrors({
      '/api/v1/tools': {
        get: {
          operationId: 'listTools',
          summary: 'List the tools with their parameter schemas',
          responses: {
            200: { description: 'The catalogue', content: jsonBody(ref('Catalogue')) },
            429: errorAnswer('Rate limited'),
          },
        },
      },
      '/api/v1/tools/execute': {
        post: {
          operationId: 'executeTool',
          summary: 'Run one tool',
          parameters: [preferParameter, idempotencyParameter],
          requestBody: {
            required: true,
            content: {
              ...jsonBody(ref('ExecuteRequest')),
              'multipart/form-data': { schema: ref('ExecuteForm') },
            },
          },
          responses: {
            200: {
              description:
                'The tool’s result: JSON for most tools, raw bytes for tools that make a file',
              headers: {
                'X-Request-Id': { schema: { type: 'string' } },
                ...replayedHeader,
                'X-Provider': {
                  description: 'Who made the answer of a model-backed tool',
                  schema: { type: 'string', enum: ['workers-ai', 'openai', 'local'] },
                },
                'X-Finish-Reason': {
                  description: 'length: the model’s text was cut off at its cap',
                  schema: { type: 'string', enum: ['stop', 'length'] },
                },
                'X-Tool-Warnings': {
                  description: 'Parameters that were ignored, clamped or replaced by a default',
                  schema: { type: 'string' },
                },
              },
              content: executeContent(executable),
            },
            202: accepted,
            400: errorAnswer('The request is at fault'),
            401: errorAnswer(`The tool needs an account, or ${BAD_KEY}`),
            403: errorAnswer('Screenshots are switched off here'),
            409: errorAnswer(`What is asked for is taken; or: ${STILL_AT_WORK}`),
            413: errorAnswer('Something is larger than its bound'),
            415: errorAnswer('Neither JSON nor multipart/form-data'),
            422: errorAnswer(`The tool ran and reports a failure, or ${OTHER_BODY}`),
            429: errorAnswer('Rate limited'),
            501: errorAnswer(
              'The tool runs in the browser only, or needs a model and none is set up',
            ),
            502: errorAnswer('A far side, such as a provider of models, failed'),
            503: errorAnswer('A part of the service is saturated or down; see Retry-After'),
            504: errorAnswer('A far side did not answer in time'),
          },
        },
      },
      '/api/v1/uploads': {
        post: {
          operationId: 'createUpload',
          summary: 'Get a one-time address to which a file can be sent by PUT, as to upload_file',
          parameters: [idempotencyParameter],
          requestBody: { required: true, content: jsonBody(bodySchema(uploadRequest)) },
          responses: {
            201: {
              description: 'The address',
              headers: replayedHeader,
              content: jsonBody(ref('Upload')),
            },
            400: errorAnswer('The request is at fault'),
            409: errorAnswer(STILL_AT_WORK),
            422: errorAnswer(`It is another request: ${OTHER_BODY}`),
            429: errorAnswer('Rate limited'),
          },
        },
      },
      ...contentPaths,
      '/api/v1/usage': {
        get: {
          operationId: 'getUsage',
          summary: 'What your key has used, and what is left of its quotas',
          security: [{ bearer: [] }],
          responses: {
            200: { description: 'The usage of the last 30 days', content: jsonBody(ref('Usage')) },
            401: errorAnswer('No key, or one that is not good'),
            429: errorAnswer('Rate limited'),
          },
        },
      },
      ...chainPaths,
      ...jobPaths,
      ...mcpPaths,
    }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...sharedSchemas(executable),
        ...chainSchemas,
        ...jobSchemas,
        ...mcpSchemas,
        ...Object.fromEntries(executable.flatMap(toolSchemas)),
      },
    },
  };
}

const uploadSchema: JsonSchema = {
  type: 'object',
  required: ['uploadUrl', 'method', 'expiresAt', 'maxBytes'],
  properties: {
    uploadUrl: { type: 'string', format: 'uri', description: 'Works once' },
    method: { const: 'PUT' },
    expiresAt: { type: 'string', format: 'date-time' },
    maxBytes: { type: 'integer' },
  },
};

function executeContent(executable: readonly Tool[]): JsonSchema {
  const results = executable.filter((tool) => tool.output).map((tool) => ref(resultName(tool)));
  const types = new Set(executable.flatMap((tool) => tool.produces ?? []));
  return {
    'application/json': { schema: { anyOf: results } },
    ...Object.fromEntries([...types].map((type) => [type, {}])),
  };
}

function sharedSchemas(executable: readonly Tool[]): JsonSchema {
  return {
    CatalogueEntry: {
      type: 'object',
      required: ['name', 'description', 'parameters', 'executable'],
      properties: {
        name: { type: 'string' },
        description: { type: 'string' },
        parameters: { type: 'object', description: 'JSON Schema of the parameters' },
        executable: {
          type: 'boolean',
          description: 'False for tools that run in the browser only',
        },
      },
    },
    Catalogue: {
      type: 'object',
      required: ['tools', 'count', 'executableCount'],
      properties: {
        tools: { type: 'array', items: ref('CatalogueEntry') },
        count: { type: 'integer' },
        executableCount: { type: 'integer' },
      },
    },
    ToolName: { type: 'string', enum: executable.map(({ name }) => name) },
    ExecuteRequest: {
      type: 'object',
      required: ['tool'],
      properties: { tool: ref('ToolName'), parameters: { type: 'object' } },
      oneOf: executable.map((tool) => ({
        title: tool.title,
        description: tool.description,
        properties: { tool: { const: tool.name }, parameters: ref(parametersName(tool)) },
      })),
    },
    ExecuteForm: {
      type: 'object',
      required: ['tool'],
      properties: {
        tool: ref('ToolName'),
        parameters: { type: 'string', description: 'The parameters as a JSON object' },
        file: { type: 'string', format: 'binary' },
        files: { type: 'array', items: { type: 'string', format: 'binary' } },
      },
    },
    ...contentSchemas,
    Usage: usageSchema,
    Upload: uploadSchema,
    Error: {
      type: 'object',
      required: ['error', 'code'],
      properties: { error: { type: 'string' }, ...errorFields },
    },
    Problem: {
      type: 'object',
      description: 'RFC 9457, with Accept: application/problem+json',
      required: ['type', 'title', 'status', 'detail', 'code'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        ...errorFields,
      },
    },
  };
}

const errorFields: JsonSchema = {
  code: { type: 'string', enum: ERROR_CODES },
  requestId: { type: 'string' },
  param: { type: 'string', description: 'The parameter at fault' },
  retryAfter: { type: 'integer', description: 'Seconds' },
  details: {},
};

const pascal = (name: string) =>
  name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
const parametersName = (tool: Tool) => `${pascal(tool.name)}Parameters`;
const resultName = (tool: Tool) => `${pascal(tool.name)}Result`;

function toolSchemas(tool: Tool): [string, JsonSchema][] {
  const result = resultSchema(tool);
  const parameters: [string, JsonSchema] = [parametersName(tool), parametersSchema(tool)];
  return result ? [parameters, [resultName(tool), result]] : [parameters];
}
