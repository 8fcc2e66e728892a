/** Usage in the API description. */
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { error, json, time } from './openapi-shared.ts';

const text = z.string();
const count = z.int().min(0);
const quota = (unit: string) =>
  z.object({ [unit]: count, limit: count, remaining: count, resetsAt: time });

const usage = z
  .object({
    keys: z.array(
      z.object({
        name: text,
        display: z.string().describe('First 8 and last 4 characters of the key'),
        kind: z.enum(['trial', 'persistent']),
        expiresAt: time.nullable(),
        today: quota('requests'),
        month: quota('tokens'),
        stored: quota('bytes').describe('Bytes stored today'),
      }),
    ),
    days: z.array(
      z.object({
        day: z.string().meta({ format: 'date' }),
        tool: text,
        calls: count,
        refused: count,
        tokens: count,
      }),
    ),
    webhookSecret: z
      .string()
      .optional()
      .describe('With a key: the secret that signs its webhooks (Standard Webhooks)'),
    refused: z.array(z.object({ at: time, tool: text, status: count, code: text, message: text })),
  })
  .meta({ id: 'Usage' });

export const usagePaths: ZodOpenApiPathsObject = {
  '/api/v1/usage': {
    get: {
      operationId: 'getUsage',
      summary: 'What your keys have used, and what remains of their quotas',
      security: [{ bearer: [] }],
      responses: {
        200: { description: 'The usage of the last 30 days', content: json(usage) },
        401: error('The key is missing or invalid'),
        429: error('Rate limited'),
      },
    },
  },
};
