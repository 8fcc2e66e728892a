/** The API description of jobs. */
import type { JsonSchema } from './json-schema.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const jsonBody = (schema: JsonSchema) => ({ 'application/json': { schema } });
const error = (description: string) => ({ description, content: jsonBody(ref('Error')) });

const jobId = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** For operations that can run as a job. */
export const preferParameter: JsonSchema = {
  name: 'Prefer',
  in: 'header',
  description: '`respond-async`: answers 202 at once; the work goes on without you (RFC 7240 §4.1)',
  schema: { type: 'string' },
};

/** For operations that can be repeated safely. */
export const idempotencyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key of your making, such as a random UUID. The same key with the same body gets the first answer again, for ' +
    '24 hours, with `Idempotent-Replayed: true`; answers 401, 429 and 503 are not kept. Keys are your own: of one ' +
    'caller, method and path.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$' },
};

export const replayedHeader: JsonSchema = {
  'Idempotent-Replayed': {
    description: 'The answer is that to an earlier request with the same Idempotency-Key',
    schema: { const: 'true' },
  },
};

/** The additional meaning of 409 and 422 with an idempotency key. */
export const STILL_AT_WORK = 'The first request with this Idempotency-Key is still at work';
export const OTHER_BODY = 'this Idempotency-Key was used with another body';

/** The response to a call that runs as a job. */
export const accepted: JsonSchema = {
  description: 'With `Prefer: respond-async`: the call was checked and is queued',
  headers: {
    Location: { description: 'Where the job is told of', schema: { type: 'string' } },
    'Preference-Applied': { schema: { const: 'respond-async' } },
  },
  content: jsonBody(ref('Job')),
};

export const jobPaths: JsonSchema = {
  '/api/v1/jobs/{id}': {
    parameters: [jobId],
    get: {
      operationId: 'getJob',
      summary: 'Tell of a job; with Accept: text/event-stream until it is over',
      responses: {
        200: {
          description:
            'The job. As events: `progress` at each change and `end`, each with the job as its data.',
          content: { ...jsonBody(ref('Job')), 'text/event-stream': { schema: { type: 'string' } } },
        },
        404: error('No such job, or not the caller’s'),
        410: error('The job is over, and its time too'),
        429: error('Rate limited'),
      },
    },
    delete: {
      operationId: 'deleteJob',
      summary: 'Cancel a job, or remove the result of one that is over',
      responses: {
        204: { description: 'Done' },
        404: error('No such job, or not the caller’s'),
        410: error('The job is over, and its time too'),
        429: error('Rate limited'),
      },
    },
  },
};

export const jobSchemas: JsonSchema = {
  Job: {
    type: 'object',
    required: ['id', 'status', 'progress'],
    properties: {
      id: { type: 'string' },
      status: {
        type: 'string',
        enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'],
      },
      progress: { type: 'number', minimum: 0, maximum: 1 },
      result: {
        type: 'object',
        description:
          'What the call would have answered; of a file { url, filename, contentType, size }. Kept for 24 hours.',
      },
      error: ref('Failure'),
      warnings: { type: 'array', items: { type: 'string' } },
    },
  },
};
