/** Chains in the API description. */
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { TOOLS } from '../tools/registry.ts';
import { accepted } from './openapi-jobs.ts';
import {
  error,
  failure,
  idempotencyParameter,
  json,
  OTHER_BODY,
  preferParameter,
  replayedHeader,
  STILL_RUNNING,
} from './openapi-shared.ts';

const chainStep = z
  .strictObject({
    tool: z.enum(
      TOOLS.filter(({ surfaces }) => surfaces.includes('chain')).map(({ name }) => name),
    ),
    parameters: z
      .looseObject({})
      .optional()
      .describe(
        'The tool’s parameters. Those left out are filled from the previous result. "{{prev.encoded}}", ' +
          '"{{steps.0.result.encoded}}" and "{{steps.ID.result.encoded}}" refer to earlier results.',
      ),
    id: z.string().meta({ pattern: '^[A-Za-z_][\\w-]{0,63}$' }).optional(),
  })
  .meta({ id: 'ChainStep' });

const chainRequest = z
  .object({
    toolChain: z.array(chainStep).min(1).max(12).optional(),
    message: z.string().min(1).max(2000).optional(),
  })
  .meta({
    id: 'ChainRequest',
    description: 'A chain, or a message from which a chain is planned',
    oneOf: [{ required: ['toolChain'] }, { required: ['message'] }],
  });

const chainResult = z
  .object({
    completed: z.boolean(),
    results: z.array(
      z.object({
        index: z.int(),
        id: z.string().optional(),
        tool: z.string(),
        status: z.enum(['succeeded', 'failed', 'skipped']),
        result: z
          .looseObject({})
          .optional()
          .describe(
            'The JSON result; for a file { url, filename, contentType, size, deleteToken }',
          ),
        error: failure.optional(),
        durationMs: z.int(),
      }),
    ),
    output: z.looseObject({}).nullable().describe('The last step’s result'),
    plan: z.array(z.looseObject({})).optional().describe('The steps planned from a message'),
  })
  .meta({ id: 'ChainResult' });

export const chainPaths: ZodOpenApiPathsObject = {
  '/api/v1/tools/chain': {
    post: {
      operationId: 'runChain',
      summary: 'Run up to 12 tools in order, each result feeding the next call',
      parameters: [preferParameter, idempotencyParameter],
      requestBody: { required: true, content: json(chainRequest) },
      responses: {
        200: {
          description: 'The result of each step; a failed step ends the chain',
          headers: replayedHeader,
          content: json(chainResult),
        },
        202: accepted,
        400: error('The chain is invalid; nothing has run'),
        401: error('A step needs an account'),
        409: error(STILL_RUNNING),
        422: error(`No chain could be planned from the message, or ${OTHER_BODY}`),
        429: error('Rate limited'),
        501: error('A browser-only tool, or a message where no text model is configured'),
      },
    },
  },
};
