/** generate_text: generates filler text. A model writes it if there is a hint. */
import * as z from 'zod';
import { type Context, defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { type CachedAnswer, cachedAnswer } from '../cached-answer.ts';
import { cleanAnswer } from '../clean-answer.ts';
import { countCharacters } from '../given-text.ts';
import { lenientInteger } from '../lenient-integer.ts';
import { modelOutput } from '../model-output.ts';
import { LOCAL_TYPES, localText } from './local-text.ts';
import { SYSTEM_PROMPT, userPrompt } from './prompt.ts';

const MAX_TOKENS = 1500;
/** The maximum number of characters to generate, which is about 1,500 tokens of English. */
const MAX_CHARACTERS = 6000;
const MAX_HINT_CHARACTERS = 200;
const LIFE_SECONDS = 24 * 3600;

export const generateText = defineTool({
  name: 'generate_text',
  title: 'Generate filler text',
  shortName: 'Generate text',
  kind: 'writing',
  icon: 'pilcrow',
  domain: 'text',
  description:
    'Generates filler text: lorem ipsum, random prose or sentences, in blocks separated by newlines. Lengths are approximate; the total is capped at about 1,500 tokens. `provider` names the source; `local` uses no model.',
  input: z.strictObject({
    type: z
      .string()
      .default('lorem')
      .describe('lorem, random or sentence; any other text is a hint for the model.'),
    length: lenientInteger(100, 1, MAX_CHARACTERS).describe(
      'Approximate characters per block: a target, not a limit.',
    ),
    count: lenientInteger(1, 1, 100).describe('Number of blocks.'),
  }),
  output: z.object({
    text: z.string().describe('The generated text.'),
    provider: z.string().describe('local, workers-ai or openai.'),
    cached: z.boolean().describe('Whether the answer comes from the cache.'),
  }),
  example: {
    parameters: { type: 'lorem', length: 300, count: 2 },
    result: {
      text:
        'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore ' +
        'magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi.\n' +
        'Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.',
      provider: 'local',
      cached: false,
    },
  },
  form: {
    type: {
      label: 'Kind of text',
      help: 'lorem, random, sentence, or a description such as "product review".',
    },
    length: { label: 'Characters', help: 'Roughly, in each block.' },
    count: { label: 'Blocks', help: '' },
  },
  synonyms: ['lorem ipsum', 'placeholder', 'write'],
  access: 'anyone',
  limits: [{ calls: 15, per: 'minute', by: 'ip' }],
  spendsTokens: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: false, openWorld: true, destructive: false },
  needs: ['models', 'cache'],
  check: ({ type }) => {
    if (countCharacters(type.trim()) > MAX_HINT_CHARACTERS) {
      throw badRequest(
        `The type is longer than ${MAX_HINT_CHARACTERS} characters. Shorten it.`,
        'type',
      );
    }
  },
  async run({ type, length, count }, context) {
    const answer = await answerTo(type.trim() || 'lorem', length, count, context);
    const { text, provider, cached } = answer;
    return modelOutput({ text, provider, cached }, answer, MAX_TOKENS, context.warn);
  },
});

async function answerTo(
  type: string,
  length: number,
  count: number,
  context: Context<'models' | 'cache'>,
): Promise<CachedAnswer> {
  const local = LOCAL_TYPES.find((name) => name === type.toLowerCase());
  if (local) {
    const { text, cut } = localText(local, length, count, MAX_CHARACTERS);
    return { text, finishReason: cut ? 'length' : 'stop', provider: 'local', cached: false };
  }
  const request = {
    system: SYSTEM_PROMPT,
    messages: [{ role: 'user' as const, content: userPrompt(type, length, count) }],
    maxTokens: MAX_TOKENS,
    simple: true,
  };
  return cachedAnswer(request, context, (text) => blocksOf(text, count), LIFE_SECONDS);
}

/** Cleans the model's response. If several blocks were requested, returns one block per line, without numbering. */
function blocksOf(answer: string, count: number): string {
  const text = cleanAnswer(answer);
  if (count === 1) return text;
  const lines = text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter(Boolean);
  const numbered = lines.every((line, index) => line.startsWith(`${index + 1}.`));
  return lines.map((line) => (numbered ? line.replace(/^\d+\.\s*/, '') : line)).join('\n');
}
