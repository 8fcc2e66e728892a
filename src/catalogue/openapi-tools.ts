/**
 * Describes the operations of all tools, for the API description (OpenAPI): the catalogue, calls, and uploads for a
 * call.
 */
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { Tool } from '../core/define-tool.ts';
import { uploadFile } from '../tools/upload_file/upload_file.ts';
import { accepted, anyJob } from './openapi-jobs.ts';
import { anyResult, bytesOf, executable, resultOf } from './openapi-results.ts';
import {
  error,
  idempotencyParameter,
  json,
  OTHER_BODY,
  preferParameter,
  replayedHeader,
  STILL_RUNNING,
  time,
  uri,
  webhook,
} from './openapi-shared.ts';
import { parametersSchemaOf } from './openapi-tool-paths.ts';
import { FILES_AS_LINKS, filesOf, resultHeaders, toolErrors } from './openapi-tool-responses.ts';
import { uploadRequest } from './request-bodies.ts';

const catalogue = z
  .object({
    tools: z
      .array(
        z
          .object({
            name: z.string().describe('The name used in calls'),
            description: z.string().describe('What the tool does, and its main limits'),
            parameters: z.looseObject({}).describe('JSON Schema of the parameters'),
            executable: z.boolean().describe('False for tools that run only in the browser'),
          })
          .meta({ id: 'CatalogueEntry' }),
      )
      .describe('Every tool'),
    count: z.int().describe('Number of tools'),
    executableCount: z.int().describe('Number of tools that can be called'),
  })
  .meta({ id: 'Catalogue' });

/** Returns the schema of a call to one tool. `parameters` may be omitted if the tool requires none. */
function callOf(tool: Tool) {
  const { name, title, description } = tool;
  const parameters = parametersSchemaOf(tool);
  const isOptional = tool.input.safeParse({}).success;
  return z
    .object({
      tool: z.literal(name).describe('The name of the tool'),
      parameters: (isOptional ? parameters.optional() : parameters).describe(
        'The parameters of the tool, as shown on its page',
      ),
      webhook,
    })
    .meta({ title, description });
}

const [firstCall, ...otherCalls] = executable.map(callOf);
const executeRequest = z
  .discriminatedUnion('tool', [firstCall!, ...otherCalls])
  .meta({ id: 'ExecuteRequest' });

const binary = bytesOf('application/octet-stream');
const executeForm = z
  .object({
    tool: z
      .enum(executable.map(({ name }) => name))
      .meta({ id: 'ToolName', description: 'The name of the tool' }),
    parameters: z.string().optional().describe('The parameters as a JSON object'),
    file: binary.optional().describe('The file, for tools that take one'),
    files: z.array(binary).optional().describe('The files in order, for tools that take several'),
    webhook,
  })
  .meta({ id: 'ExecuteForm' });

const inputForm = z.object({ file: binary.describe('The file') }).meta({ id: 'InputForm' });

const fileTypes = new Set(executable.flatMap((tool) => tool.produces ?? []));

const upload = z
  .object({
    uploadUrl: uri.describe('Works once'),
    method: z.literal('PUT').describe('The HTTP method for sending the file'),
    expiresAt: time.describe('When the URL expires'),
    maxBytes: z.int().describe('The maximum size of the file in bytes'),
  })
  .meta({ id: 'Upload' });

export const toolPaths: ZodOpenApiPathsObject = {
  '/api/v1/tools': {
    get: {
      operationId: 'listTools',
      summary: 'List the tools',
      description: 'Returns every tool with a JSON Schema of its parameters.',
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
      description: `Each tool also has its own operation, with its parameters as the body. ${FILES_AS_LINKS}`,
      parameters: [preferParameter, idempotencyParameter],
      requestBody: {
        required: true,
        content: { ...json(executeRequest), 'multipart/form-data': { schema: executeForm } },
      },
      responses: {
        200: {
          description:
            'The tool’s result: JSON for most tools, raw bytes for tools that produce a file',
          headers: resultHeaders,
          content: {
            ...json(anyResult),
            ...filesOf([...fileTypes]),
          },
        },
        202: accepted(anyJob),
        ...toolErrors,
      },
    },
  },
  '/api/v1/inputs': {
    post: {
      operationId: 'createInput',
      summary: 'Store a file for use in later calls',
      description:
        'Stores a file of up to 50 MB for 24 hours. Pass its link as `fileUrl` or `fileUrls`, for example in a chain. The request accepts the same types as upload_file, but does not count as a call to upload_file.',
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: inputForm } },
      },
      responses: {
        200: { description: 'The stored file', content: json(resultOf(uploadFile)) },
        400: error('The file is missing, or its type is not supported'),
        413: error('The file is too large'),
        415: error('The body is not multipart/form-data'),
        429: error('Rate limited, or the daily storage quota is used up'),
      },
    },
  },
  '/api/v1/uploads': {
    post: {
      operationId: 'createUpload',
      summary: 'Create an upload URL',
      description:
        'Creates a one-time upload URL. Send the file as the body of a PUT request. The response is the same as for upload_file.',
      parameters: [idempotencyParameter],
      requestBody: { required: true, content: json(uploadRequest) },
      responses: {
        201: { description: 'The upload URL', headers: replayedHeader, content: json(upload) },
        400: error('The request is invalid'),
        409: error(STILL_RUNNING),
        422: error(OTHER_BODY),
        429: error('Rate limited'),
      },
    },
  },
};
