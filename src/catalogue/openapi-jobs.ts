/** Describes jobs and their operations, for the API description (OpenAPI). */
import * as z from 'zod';
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { Tool } from '../core/define-tool.ts';
import { chainResult } from './openapi-chain-result.ts';
import { executable, pascal, resultOf } from './openapi-results.ts';
import { error, failure, json, time, uri } from './openapi-shared.ts';

const jobFields = {
  id: z.string().describe('The ID of the job, as in its URL'),
  status: z
    .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
    .describe('A job is finished when it has succeeded, failed or been cancelled'),
  progress: z.number().min(0).max(1).describe('The fraction of the work that is done, from 0 to 1'),
  message: z.string().optional().describe('The progress of a running job, such as `page 2 of 7`'),
  error: failure.optional().describe('Why the job failed'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Parameters that were ignored, clamped or replaced by a default'),
  webhook: z
    .object({
      url: uri.describe('The URL that receives the webhook'),
      attempts: z
        .array(
          z.object({
            at: time.describe('When the attempt was made'),
            status: z.int().optional().describe('The HTTP status of the response'),
            error: z.string().optional().describe('Why there was no response'),
          }),
        )
        .describe('Every delivery attempt, oldest first'),
    })
    .optional()
    .describe('The webhook deliveries of the finished job'),
};

const jobs = new Map(
  executable.map((tool) => [
    tool.name,
    z
      .object({
        ...jobFields,
        tool: z.literal(tool.name).describe('The name of the tool'),
        result: resultOf(tool)
          .optional()
          .describe('What the call returns. A file is returned as a link.'),
      })
      .meta({ id: `${pascal(tool.name)}Job` }),
  ]),
);

/**
 * Returns the schema of a tool's jobs. A job's result is the call's response, with links instead of files. It is stored
 * for 24 hours.
 */
export const jobOf = ({ name }: Tool): z.ZodObject => jobs.get(name)!;

export const chainJob = z
  .object({
    ...jobFields,
    tool: z.literal('chain').describe('Always chain'),
    result: chainResult.optional(),
  })
  .meta({ id: 'ChainJob' });

const [firstJob, ...otherJobs] = jobs.values();

/** The schema of any job, whether it runs a tool or a chain. `tool` determines the type of `result`. */
export const anyJob = z
  .discriminatedUnion('tool', [firstJob!, ...otherJobs, chainJob])
  .meta({ id: 'Job' });

/** Describes the response to a call that runs as a job. */
export const accepted = (job: z.ZodType): ZodOpenApiResponseObject => ({
  description: 'The call was validated and queued, because it has `Prefer: respond-async`',
  headers: {
    Location: { description: 'The URL of the job', schema: { type: 'string' } },
    'Preference-Applied': { schema: { const: 'respond-async' } },
  },
  content: json(job),
});

const failures = {
  404: error('The job does not exist or belongs to another caller'),
  410: error('The job is finished, and its result has expired'),
  429: error('Rate limited'),
};

export const jobPaths: ZodOpenApiPathsObject = {
  '/api/v1/jobs/{id}': {
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The job ID from the 202 response',
        schema: { type: 'string' },
      },
    ],
    get: {
      operationId: 'getJob',
      summary: 'Get a job',
      description: 'Use `Accept: text/event-stream` to follow the job until it is finished.',
      responses: {
        200: {
          description:
            'The job. A text/event-stream response contains a `progress` event for each change and one final `end` event; the data of each event is the job.',
          content: json(anyJob),
        },
        ...failures,
      },
    },
    delete: {
      operationId: 'deleteJob',
      summary: 'Cancel a job',
      description: 'Cancels a queued or running job. Removes the result of a finished job.',
      responses: { 204: { description: 'The job is removed' }, ...failures },
    },
  },
};
