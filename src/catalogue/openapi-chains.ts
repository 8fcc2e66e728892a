/** Describes the operations on chains, for the API description (OpenAPI). */
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { TOOLS } from '../tools/registry.ts';
import { chainResult } from './openapi-chain-result.ts';
import { accepted, chainJob } from './openapi-jobs.ts';
import {
  error,
  idempotencyParameter,
  json,
  OTHER_BODY,
  preferParameter,
  replayedHeader,
  STILL_RUNNING,
  webhook,
} from './openapi-shared.ts';

const chainStep = z
  .strictObject({
    tool: z
      .enum(TOOLS.filter(({ surfaces }) => surfaces.includes('chain')).map(({ name }) => name))
      .describe('The name of a tool'),
    parameters: z
      .looseObject({})
      .optional()
      .describe(
        'The tool’s parameters. Omitted ones are filled from the previous result. "{{prev.encoded}}", ' +
          '"{{steps.0.result.encoded}}" and "{{steps.ID.result.encoded}}" refer to earlier results.',
      ),
    id: z
      .string()
      .meta({ pattern: '^[A-Za-z_][\\w-]{0,63}$' })
      .optional()
      .describe('A name that other steps use to refer to this step'),
  })
  .meta({ id: 'ChainStep' });

const chainRequest = z
  .object({
    toolChain: z
      .array(chainStep)
      .min(1)
      .max(12)
      .optional()
      .describe('The steps in order. Either `toolChain` or `message` is required.'),
    message: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe(
        'What the chain should do. A model plans its steps. Either `message` or `toolChain` is required.',
      ),
    webhook,
  })
  .meta({
    id: 'ChainRequest',
    description: 'A chain, or a message to plan a chain from',
    oneOf: [{ required: ['toolChain'] }, { required: ['message'] }],
  });

export const chainPaths: ZodOpenApiPathsObject = {
  '/api/v1/tools/chain': {
    post: {
      operationId: 'runChain',
      summary: 'Run a chain',
      description:
        'Runs up to 12 tools in order. The result of a step fills the empty parameters of the next one.',
      parameters: [preferParameter, idempotencyParameter],
      requestBody: { required: true, content: json(chainRequest) },
      responses: {
        200: {
          description: 'The result of each step; a failed step ends the chain',
          headers: replayedHeader,
          content: json(chainResult),
        },
        202: accepted(chainJob),
        400: error('The chain is invalid, and nothing ran'),
        401: error('A step needs an account'),
        409: error(STILL_RUNNING),
        422: error(`No chain could be planned from the message, or ${OTHER_BODY}`),
        429: error('Rate limited'),
        501: error(
          'A step runs only in the browser, or a message was sent but no text model is configured',
        ),
        502: error('The chain could not be planned because the model provider failed'),
        503: error('A part of the service is overloaded or down; see Retry-After'),
        504: error('The chain could not be planned because the model did not respond in time'),
      },
    },
  },
};
