/** The tools in the API description: the catalogue, running one, and uploading a file for one. */
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';
import { parametersOf } from './json-schema.ts';
import { accepted } from './openapi-jobs.ts';
import {
  BAD_KEY,
  error,
  idempotencyParameter,
  json,
  OTHER_BODY,
  preferParameter,
  replayedHeader,
  STILL_RUNNING,
  time,
  uri,
} from './openapi-shared.ts';
import { uploadRequest } from './request-bodies.ts';

const executable = TOOLS.filter(isExecutable);

const pascal = (name: string) =>
  name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());

const catalogue = z
  .object({
    tools: z.array(
      z
        .object({
          name: z.string(),
          description: z.string(),
          parameters: z.looseObject({}).describe('JSON Schema of the parameters'),
          executable: z.boolean().describe('False for tools that run only in the browser'),
        })
        .meta({ id: 'CatalogueEntry' }),
    ),
    count: z.int(),
    executableCount: z.int(),
  })
  .meta({ id: 'Catalogue' });

/** The call of one tool. `parameters` may be omitted if the tool requires none. */
function callOf(tool: Tool) {
  const { name, title, description } = tool;
  const parameters = parametersOf(tool).meta({ id: `${pascal(name)}Parameters` });
  const isOptional = tool.input.safeParse({}).success;
  return z
    .object({ tool: z.literal(name), parameters: isOptional ? parameters.optional() : parameters })
    .meta({ title, description });
}

const [firstCall, ...otherCalls] = executable.map(callOf);
const executeRequest = z
  .discriminatedUnion('tool', [firstCall!, ...otherCalls])
  .meta({ id: 'ExecuteRequest' });

const binary = z.string().meta({ format: 'binary' });
const executeForm = z
  .object({
    tool: z.enum(executable.map(({ name }) => name)).meta({ id: 'ToolName' }),
    parameters: z.string().optional().describe('The parameters as a JSON object'),
    file: binary.optional(),
    files: z.array(binary).optional(),
  })
  .meta({ id: 'ExecuteForm' });

const results = executable.flatMap(
  ({ name, output }) => output?.meta({ id: `${pascal(name)}Result` }) ?? [],
);
const fileTypes = new Set(executable.flatMap((tool) => tool.produces ?? []));

const upload = z
  .object({
    uploadUrl: uri.describe('Works once'),
    method: z.literal('PUT'),
    expiresAt: time,
    maxBytes: z.int(),
  })
  .meta({ id: 'Upload' });

export const toolPaths: ZodOpenApiPathsObject = {
  '/api/v1/tools': {
    get: {
      operationId: 'listTools',
      summary: 'List the tools with their parameter schemas',
      responses: {
        200: { description: 'The catalogue', content: json(catalogue) },
        429: error('Rate limited'),
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
        content: { ...json(executeRequest), 'multipart/form-data': { schema: executeForm } },
      },
      responses: {
        200: {
          description:
            'The tool’s result: JSON for most tools, raw bytes for tools that produce a file',
          headers: {
            'X-Request-Id': { schema: { type: 'string' } },
            ...replayedHeader,
            'X-Provider': {
              description: 'The provider that answered, for model-backed tools',
              schema: { type: 'string', enum: ['workers-ai', 'openai', 'local'] },
            },
            'X-Finish-Reason': {
              description: 'length: the model’s text was cut off at its limit',
              schema: { type: 'string', enum: ['stop', 'length'] },
            },
            'X-Tool-Warnings': {
              description: 'Parameters that were ignored, clamped or replaced by a default',
              schema: { type: 'string' },
            },
          },
          content: {
            ...json(z.union(results)),
            ...Object.fromEntries([...fileTypes].map((type) => [type, {}])),
          },
        },
        202: accepted,
        400: error('The request is invalid'),
        401: error(`The tool needs an account, or ${BAD_KEY}`),
        403: error('Screenshots are switched off'),
        409: error(`The requested name is taken, or: ${STILL_RUNNING}`),
        413: error('A part of the request is too large'),
        415: error('The body is neither JSON nor multipart/form-data'),
        422: error(`The tool ran and failed, or ${OTHER_BODY}`),
        429: error('Rate limited'),
        501: error('The tool runs in the browser only, or needs a model that is not configured'),
        502: error('An upstream, such as a model provider, failed'),
        503: error('A part of the service is saturated or down; see Retry-After'),
        504: error('An upstream did not answer in time'),
      },
    },
  },
  '/api/v1/uploads': {
    post: {
      operationId: 'createUpload',
      summary: 'Get a one-time address to which a file can be sent by PUT, as to upload_file',
      parameters: [idempotencyParameter],
      requestBody: { required: true, content: json(uploadRequest) },
      responses: {
        201: { description: 'The address', headers: replayedHeader, content: json(upload) },
        400: error('The request is invalid'),
        409: error(STILL_RUNNING),
        422: error(`The request differs: ${OTHER_BODY}`),
        429: error('Rate limited'),
      },
    },
  },
};
