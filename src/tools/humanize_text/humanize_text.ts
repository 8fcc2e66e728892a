/** humanize_text: rewrites a passage with a model so that it sounds natural. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { cleanAnswer } from '../clean-answer.ts';
import { checkGiven } from '../given-text.ts';
import { modelOutput } from '../model-output.ts';
import { LEVELS, systemPrompt, userPrompt } from './prompt.ts';

const MAX_CHARACTERS = 10_000;
const MAX_TOKENS = 2000;

export const humanizeText = defineTool({
  name: 'humanize_text',
  title: 'Humanize text',
  shortName: 'Humanize text',
  kind: 'writing',
  icon: 'feather',
  domain: 'text',
  description:
    'Rewrites a passage of up to 10,000 characters so that it sounds natural, with facts and language preserved. Requires a signed-in account or its API key. The answer is capped at about 2,000 tokens: long passages are truncated.',
  input: z.strictObject({
    text: z.string().describe('Plain text, at most 10,000 characters.'),
    level: z.enum(LEVELS).default('medium').catch('medium').describe('How much to change.'),
  }),
  output: z.object({ humanizedText: z.string().describe('The rewritten text.') }),
  example: {
    parameters: { text: 'It is important to note that water is essential.', level: 'medium' },
    result: { humanizedText: 'We all need water.' },
  },
  form: {
    text: { help: 'Up to 10,000 characters.', rows: 6, takesFile: true },
    level: {
      label: 'How much to change',
      help: '',
      choices: { light: 'A little', medium: 'Medium', strong: 'A lot' },
    },
  },
  synonyms: ['rewrite', 'paraphrase', 'natural'],
  access: 'account',
  limits: [{ calls: 30, per: 'hour', by: 'account' }],
  spendsTokens: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: false, openWorld: true, destructive: false },
  needs: ['models'],
  model: 'text',
  check: ({ text }) => checkGiven(text, 'text', MAX_CHARACTERS),
  async run({ text, level }, context) {
    const answer = await context.models.text(
      {
        system: systemPrompt(level),
        messages: [{ role: 'user', content: userPrompt(text) }],
        maxTokens: MAX_TOKENS,
      },
      context,
    );
    const humanizedText = cleanAnswer(answer.text, text);
    return modelOutput({ humanizedText }, answer, MAX_TOKENS, context.warn);
  },
});
