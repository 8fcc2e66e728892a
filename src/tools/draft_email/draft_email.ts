/** draft_email: writes the body of an email from a description, with a model. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { upstreamFailed } from '../../core/errors.ts';
import { cachedAnswer } from '../cached-answer.ts';
import { checkGiven } from '../given-text.ts';
import { modelOutput } from '../model-output.ts';
import { emailBody } from './email-body.ts';
import { systemPrompt, TONES, userPrompt } from './prompt.ts';

const MAX_TOKENS = 400;
const LIFE_SECONDS = 24 * 3600;

export const draftEmail = defineTool({
  name: 'draft_email',
  title: 'Draft an email',
  shortName: 'Draft email',
  kind: 'writing',
  icon: 'mail',
  domain: 'text',
  description:
    'Drafts the body of an email from a description: no subject, no recipient, nothing is sent. Capped at about 400 tokens. Limits: 3 calls per hour, or 15 per minute with an account.',
  input: z.strictObject({
    prompt: z.string().describe('What the email should say, at most 10,000 characters.'),
    tone: z.enum(TONES).default('formal').describe('The tone.'),
  }),
  output: z.object({
    email: z.string().describe('The draft as plain text.'),
    cached: z.boolean().describe('Whether the answer comes from the cache.'),
  }),
  example: {
    parameters: { prompt: 'Ask the landlord to repair the heating this week', tone: 'formal' },
    result: {
      email:
        'Dear [Name],\n\nThe heating in my apartment has stopped working. Could you please have it repaired this ' +
        'week? I am at home every day after five.\n\nKind regards,\n[Your name]',
      cached: false,
    },
  },
  form: {
    prompt: { label: 'What should the email say?', help: '', rows: 4 },
    tone: { help: '', choices: { formal: 'Formal', casual: 'Casual', friendly: 'Friendly' } },
  },
  synonyms: ['write mail', 'letter', 'reply'],
  access: { anonymousPerHour: 3 },
  limits: [{ calls: 15, per: 'minute', by: 'ip' }],
  spendsTokens: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: false, openWorld: true, destructive: false },
  needs: ['models', 'cache'],
  model: 'text',
  check: ({ prompt }) => checkGiven(prompt, 'prompt'),
  async run({ prompt, tone }, context) {
    const request = {
      system: systemPrompt(tone),
      messages: [{ role: 'user' as const, content: userPrompt(prompt) }],
      maxTokens: MAX_TOKENS,
    };
    const answer = await cachedAnswer(request, context, bodyOf, LIFE_SECONDS);
    const value = { email: answer.text, cached: answer.cached };
    return modelOutput(value, answer, MAX_TOKENS, context.warn);
  },
});

function bodyOf(text: string): string {
  const body = emailBody(text);
  if (body === '') throw upstreamFailed('The model returned no email. Try again.');
  return body;
}
