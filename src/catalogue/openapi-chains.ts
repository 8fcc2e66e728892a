/** The API description of chains. */
import { TOOLS } from '../tools/registry.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  accepted,
  idempotencyParameter,
  OTHER_BODY,
  preferParameter,
  replayedHeader,
  STILL_AT_WORK,
} from './openapi-jobs.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const jsonBody = (schema: JsonSchema) => ({ 'application/json': { schema } });
const error = (description: string) => ({ description, content: jsonBody(ref('Error')) });

export const chainPaths: JsonSchema = {
  '/api/v1/tools/chain': {
    post: {
      operationId: 'runChain',
      summary: 'Run up to 12 tools in order, each result feeding the next call',
      parameters: [preferParameter, idempotencyParameter],
      requestBody: { required: true, content: jsonBody(ref('ChainRequest')) },
      responses: {
        200: {
          description: 'The result of each step; a failed step ends the chain',
          headers: replayedHeader,
          content: jsonBody(ref('ChainResult')),
        },
        202: accepted,
        400: error('The chain is at fault; nothing has run'),
        401: error('A step needs an account'),
        409: error(STILL_AT_WORK),
        422: error(`No chain could be planned from the message, or ${OTHER_BODY}`),
        429: error('Rate limited'),
        501: error('A browser-only tool, or a message where no text model is configured'),
      },
    },
  },
};

export const chainSchemas: JsonSchema = {
  ChainStep: {
    type: 'object',
    required: ['tool'],
    additionalProperties: false,
    properties: {
      tool: {
        type: 'string',
        enum: TOOLS.filter(({ surfaces }) => surfaces.includes('chain')).map(({ name }) => name),
      },
      parameters: {
        type: 'object',
        description:
          'The tool’s parameters. What is left out is filled from the result before. "{{prev.encoded}}", ' +
          '"{{steps.0.result.encoded}}" and "{{steps.ID.result.encoded}}" refer to earlier results.',
      },
      id: { type: 'string', pattern: '^[A-Za-z_][\\w-]{0,63}$' },
    },
  },
  ChainRequest: {
    type: 'object',
    description: 'Either a chain, or a message from which one is planned',
    properties: {
      toolChain: { type: 'array', minItems: 1, maxItems: 12, items: ref('ChainStep') },
      message: { type: 'string', minLength: 1, maxLength: 2000 },
    },
    oneOf: [{ required: ['toolChain'] }, { required: ['message'] }],
  },
  ChainResult: {
    type: 'object',
    required: ['completed', 'results', 'output'],
    properties: {
      completed: { type: 'boolean' },
      results: {
        type: 'array',
        items: {
          type: 'object',
          required: ['index', 'tool', 'status', 'durationMs'],
          properties: {
            index: { type: 'integer' },
            id: { type: 'string' },
            tool: { type: 'string' },
            status: { type: 'string', enum: ['succeeded', 'failed', 'skipped'] },
            result: {
              type: 'object',
              description: 'The JSON result; of a file { url, filename, contentType, size }',
            },
            error: ref('Failure'),
            durationMs: { type: 'integer' },
          },
        },
      },
      output: { type: ['object', 'null'], description: 'The last step’s result' },
      plan: {
        type: 'array',
        items: { type: 'object' },
        description: 'The steps planned from a message',
      },
    },
  },
  Failure: {
    type: 'object',
    required: ['error', 'code', 'status'],
    properties: {
      error: { type: 'string' },
      code: { type: 'string' },
      status: { type: 'integer', description: 'The HTTP status that it has by itself' },
      param: { type: 'string' },
    },
  },
};
