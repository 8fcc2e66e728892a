/** Describes the result of a chain, for the API description (OpenAPI). */
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import { executable, pascal, resultOf } from './openapi-results.ts';
import { failure } from './openapi-shared.ts';

const stepOf = (tool: Tool) =>
  z
    .object({
      index: z.int().describe('Its position, from 0'),
      id: z.string().optional().describe('The ID of the step, if the call set one'),
      tool: z.literal(tool.name).describe('The tool of the step'),
      status: z
        .enum(['succeeded', 'failed', 'skipped'])
        .describe('Steps after a failed one are skipped'),
      result: resultOf(tool)
        .optional()
        .describe('What the tool returned. A file is returned as a link.'),
      error: failure.optional().describe('Why the step failed'),
      durationMs: z.int().describe('How long the step took'),
    })
    .meta({ id: `${pascal(tool.name)}Step` });

const [firstStep, ...otherSteps] = executable
  .filter(({ surfaces }) => surfaces.includes('chain'))
  .map(stepOf);

export const chainResult = z
  .object({
    completed: z.boolean().describe('Whether every step succeeded'),
    results: z
      .array(z.discriminatedUnion('tool', [firstStep!, ...otherSteps]))
      .describe('Each step in order'),
    output: z.looseObject({}).nullable().describe('The last step’s result'),
    plan: z.array(z.looseObject({})).optional().describe('The steps planned from a message'),
  })
  .meta({ id: 'ChainResult' });
