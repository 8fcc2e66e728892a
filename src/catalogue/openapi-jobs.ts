/** Jobs in the API description. */
import * as z from 'zod';
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { error, failure, json } from './openapi-shared.ts';

const job = z
  .object({
    id: z.string(),
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    progress: z.number().min(0).max(1),
    result: z
      .looseObject({})
      .optional()
      .describe(
        'The answer of the call; for a file { url, filename, contentType, size, deleteToken }. Stored for 24 hours.',
      ),
    error: failure.optional(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Job' });

/** The answer to a call that runs as a job. */
export const accepted: ZodOpenApiResponseObject = {
  description: 'With `Prefer: respond-async`: the call was checked and is queued',
  headers: {
    Location: { description: 'The address of the job', schema: { type: 'string' } },
    'Preference-Applied': { schema: { const: 'respond-async' } },
  },
  content: json(job),
};

const failures = {
  404: error('The job does not exist or belongs to another caller'),
  410: error('The job is finished, and its result has expired'),
  429: error('Rate limited'),
};

export const jobPaths: ZodOpenApiPathsObject = {
  '/api/v1/jobs/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: {
      operationId: 'getJob',
      summary: 'Get a job; with Accept: text/event-stream follow it until it is finished',
      responses: {
        200: {
          description:
            'The job. As events: `progress` at each change and `end`, each with the job as its data.',
          content: { ...json(job), 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...failures,
      },
    },
    delete: {
      operationId: 'deleteJob',
      summary: 'Cancel a job, or remove the result of a finished one',
      responses: { 204: { description: 'Done' }, ...failures },
    },
  },
};
