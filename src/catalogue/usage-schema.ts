/** The API description of the response of GET /api/v1/usage. */
import type { JsonSchema } from './json-schema.ts';

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const time: JsonSchema = { type: 'string', format: 'date-time' };
const quota = (unit: string) =>
  object({ [unit]: count, limit: count, remaining: count, resetsAt: time });

export const usageSchema: JsonSchema = object({
  keys: list(
    object({
      name: text,
      display: { type: 'string', description: 'First 8 and last 4 characters of the key' },
      kind: { type: 'string', enum: ['trial', 'persistent'] },
      expiresAt: { anyOf: [time, { type: 'null' }] },
      today: quota('requests'),
      month: quota('tokens'),
      stored: { ...quota('bytes'), description: 'Bytes stored today' },
    }),
  ),
  days: list(
    object({
      day: { type: 'string', format: 'date' },
      tool: text,
      calls: count,
      refused: count,
      tokens: count,
    }),
  ),
  refused: list(object({ at: time, tool: text, status: count, code: text, message: text })),
});
