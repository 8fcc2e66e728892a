/** The result of a chain in the API description. */
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import { executable, pascal, resultOf } from './openapi-results.ts';
import { failure } from './openapi-shared.ts';

const stepOf = (tool: Tool) =>
  z
    .object({
      index: z.int(),
      id: z.string().optional(),
      tool: z.literal(tool.name),
      status: z.enum(['succeeded', 'failed', 'skipped']),
      result: resultOf(tool).optional(),
      error: failure.optional(),
      durationMs: z.int(),
    })
    .meta({ id: `${pascal(tool.name)}Step` });

const [firstStep, ...otherSteps] = executable
  .filter(({ surfaces }) => surfaces.includes('chain'))
  .map(stepOf);

export const chainResult = z
  .object({
    completed: z.boolean(),
    results: z.array(z.discriminatedUnion('tool', [firstStep!, ...otherSteps])),
    output: z.looseObject({}).nullable().describe('The last step’s result'),
    plan: z.array(z.looseObject({})).optional().describe('The steps planned from a message'),
  })
  .meta({ id: 'ChainResult' });
