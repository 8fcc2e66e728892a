/**
 * generate_sql: writes one SQL statement from a description with a model. The statement is never executed or validated.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { failed } from '../../core/errors.ts';
import { cachedAnswer } from '../cached-answer.ts';
import { checkGiven } from '../given-text.ts';
import { modelOutput } from '../model-output.ts';
import { SYSTEM_PROMPT, userPrompt } from './prompt.ts';
import { sqlStatement } from './sql-statement.ts';

const MAX_TOKENS = 500;
const LIFE_SECONDS = 30 * 24 * 3600;

export const generateSql = defineTool({
  name: 'generate_sql',
  title: 'Generate SQL',
  shortName: 'Generate SQL',
  kind: 'writing',
  icon: 'database',
  domain: 'dev',
  description:
    'Writes one SQL statement from a description. It is neither executed nor validated: review it before you run it. The same request returns the same query. Capped at about 500 tokens. Limits: 3 calls per hour, or 15 per minute with an account.',
  input: z.strictObject({
    description: z
      .string()
      .describe('What the query should do, with tables and columns; at most 10,000 characters.'),
    dialect: z
      .enum(['mysql', 'postgresql', 'sqlite'])
      .optional()
      .describe('Ignored. Name the dialect in the description.'),
  }),
  output: z.object({
    sql: z.string().meta({
      description: 'The statement. It is not executed.',
      contentMediaType: 'application/sql',
    }),
  }),
  example: {
    parameters: {
      description: 'The ten customers with the highest order totals in 2025',
    },
    result: {
      sql:
        'SELECT c.name, SUM(o.total) AS revenue\nFROM customers c\nJOIN orders o ON o.customer_id = c.id\n' +
        "WHERE o.ordered_at >= DATE '2025-01-01' AND o.ordered_at < DATE '2026-01-01'\n" +
        'GROUP BY c.id, c.name\nORDER BY revenue DESC\nLIMIT 10;',
    },
  },
  form: {
    description: {
      label: 'What should the query find?',
      help: 'Name your tables, their columns and the database, such as PostgreSQL.',
      rows: 4,
    },
    dialect: { isHidden: true },
  },
  synonyms: ['query', 'database', 'select'],
  access: { anonymousPerHour: 3 },
  limits: [{ calls: 15, per: 'minute', by: 'ip' }],
  spendsTokens: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: true, destructive: false },
  needs: ['models', 'cache'],
  model: 'text',
  check: ({ description }) => checkGiven(description, 'description'),
  async run({ description }, context) {
    const request = {
      system: SYSTEM_PROMPT,
      messages: [{ role: 'user' as const, content: userPrompt(description) }],
      maxTokens: MAX_TOKENS,
    };
    const answer = await cachedAnswer(request, context, statementOf, LIFE_SECONDS);
    return modelOutput({ sql: answer.text }, answer, MAX_TOKENS, context.warn);
  },
});

function statementOf(text: string): string {
  const statement = sqlStatement(text);
  if (statement) return statement;
  throw failed('The model returned no SQL statement. Describe the query and its tables.');
}
