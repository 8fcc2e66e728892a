/** Defines the schemas and responses that several operations of the API description (OpenAPI) share. */
import * as z from 'zod';
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiParameterObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { ERROR_CODES } from '../core/errors.ts';

export const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

const errorFields = {
  code: z.enum(ERROR_CODES).describe('A stable error code for programs.'),
  requestId: z
    .string()
    .optional()
    .describe('Quote this ID to the operator if you report the error.'),
  param: z.string().optional().describe('The invalid parameter'),
  retryAfter: z.int().optional().describe('Seconds to wait before retrying'),
  details: z.unknown().optional().describe('Additional details, such as every invalid parameter.'),
};

export const errorBody = z
  .object({ error: z.string().describe('What went wrong, and how to fix it'), ...errorFields })
  .meta({ id: 'Error' });

const problem = z
  .object({
    type: z.string().describe('A URI that names the kind of error'),
    title: z.string().describe('The status in words'),
    status: z.int().describe('The HTTP status'),
    detail: z.string().describe('What went wrong, and how to fix it'),
    ...errorFields,
  })
  .meta({
    id: 'Problem',
    description:
      'An error in the format of RFC 9457, returned for Accept: application/problem+json',
  });

/** Describes an error response. Capitalizes the description. */
export const error = (description: string): ZodOpenApiResponseObject => ({
  description: description.replace(/^./, (letter) => letter.toUpperCase()),
  content: { ...json(errorBody), 'application/problem+json': { schema: problem } },
});

/** The error of a failed job, or of a failed step of a chain. */
export const failure = z
  .object({
    error: z.string().describe('What went wrong, and how to fix it'),
    code: z.string().describe('The kind of error, as in error responses'),
    status: z.int().describe('The HTTP status that this error would have as a separate response'),
    param: z.string().optional().describe('The invalid parameter'),
  })
  .meta({ id: 'Failure' });

export const time = z.string().meta({ format: 'date-time' });
export const uri = z.string().meta({ format: 'uri' });

/** The header of operations that can run asynchronously. */
export const preferParameter: ZodOpenApiParameterObject = {
  name: 'Prefer',
  in: 'header',
  description: '`respond-async`: returns 202 at once and runs the call as a job (RFC 7240 §4.1)',
  schema: { type: 'string' },
};

/** The body's `webhook` field, for operations that can run asynchronously. */
export const webhook = z
  .string()
  .meta({ format: 'uri' })
  .optional()
  .describe(
    'The https URL that receives the finished job as a POST request, signed as in Standard Webhooks. Delivery is ' +
      'attempted up to six times within an hour. Requires `Prefer: respond-async` and an API key.',
  );

/** The header of operations that can be repeated safely. */
export const idempotencyParameter: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key that you choose, such as a random UUID. For 24 hours, the same key with the same body returns the first response ' +
    'again, with `Idempotent-Replayed: true`. Responses 401, 429 and 503 are not stored. A key belongs to one caller, ' +
    'method and path.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$' },
};

export const replayedHeader: ZodOpenApiHeadersObject = {
  'Idempotent-Replayed': {
    description: 'The response is repeated from an earlier request with the same Idempotency-Key',
    schema: { const: 'true' },
  },
};

/** The reasons for 409 and 422 that apply only to requests with an idempotency key. */
export const STILL_RUNNING = 'the first request with this Idempotency-Key is still running';
export const OTHER_BODY = 'this Idempotency-Key was used with a different body';
export const BAD_KEY = 'the key is invalid, revoked or expired';
