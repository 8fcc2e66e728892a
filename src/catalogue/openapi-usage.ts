/** Describes the operations that report usage, for the API description (OpenAPI). */
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { error, json, time } from './openapi-shared.ts';

const text = z.string();
const count = z.int().min(0);
const quota = (unit: string) =>
  z.object({
    [unit]: count.describe(`The ${unit} used in this period`),
    limit: count.describe(
      `The maximum number of ${unit} in this period. Not enforced if the operator has switched limits off.`,
    ),
    remaining: count.describe('The remaining quota'),
    resetsAt: time.describe('When the period ends'),
  });

const usage = z
  .object({
    keys: z
      .array(
        z.object({
          name: text.describe('The name that you gave the key'),
          display: z.string().describe('First 8 and last 4 characters of the key'),
          kind: z
            .enum(['trial', 'persistent'])
            .describe('A trial key needs no account and expires'),
          expiresAt: time.nullable().describe('When the key expires; null if it does not expire'),
          today: quota('requests').describe('Calls made today'),
          month: quota('tokens').describe('Model tokens used this month'),
          stored: quota('bytes').describe('Bytes stored today'),
        }),
      )
      .describe('The key that made the request, or all your keys if you are signed in'),
    days: z
      .array(
        z.object({
          day: z.string().meta({ format: 'date', description: 'The day in UTC' }),
          tool: text.describe('The tool or endpoint'),
          calls: count.describe('Number of calls'),
          refused: count.describe('Calls that were refused, for example by a limit'),
          tokens: count.describe('Model tokens used by these calls'),
        }),
      )
      .describe('Calls by day and tool'),
    webhookSecret: z
      .string()
      .optional()
      .describe(
        'The secret that signs the webhooks of the key (Standard Webhooks); absent without a key',
      ),
    refused: z
      .array(
        z.object({
          at: time.describe('When the call was refused'),
          tool: text.describe('The tool'),
          status: count.describe('The HTTP status'),
          code: text.describe('The kind of error'),
          message: text.describe('The error message'),
        }),
      )
      .describe('The latest refused calls'),
  })
  .meta({ id: 'Usage' });

export const usagePaths: ZodOpenApiPathsObject = {
  '/api/v1/usage': {
    get: {
      operationId: 'getUsage',
      summary: 'Get usage',
      description: 'Returns what your keys have used and what remains of their quotas.',
      security: [{ bearer: [] }],
      responses: {
        200: { description: 'The usage of the last 30 days', content: json(usage) },
        401: error('The key is missing or invalid'),
        429: error('Rate limited'),
      },
    },
  },
};
