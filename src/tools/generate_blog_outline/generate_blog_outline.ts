/** generate_blog_outline: writes the outline of a blog post in Markdown with a model, and checks its parts. */
import * as z from 'zod';
import { type Context, defineTool } from '../../core/define-tool.ts';
import { badRequest, failed, ToolError } from '../../core/errors.ts';
import type { ChatMessage, TextAnswer } from '../../core/models-port.ts';
import { cleanAnswer } from '../clean-answer.ts';
import { checkGiven } from '../given-text.ts';
import { lenientInteger } from '../lenient-integer.ts';
import { modelOutput } from '../model-output.ts';
import { missingParts } from './outline-parts.ts';
import { missingPrompt, systemPrompt, userPrompt } from './prompt.ts';

const MAX_TOPIC_CHARACTERS = 2000;
const MAX_TOKENS = 1000;

interface Outline {
  answer: TextAnswer;
  outline: string;
  missing: string[];
}

export const generateBlogOutline = defineTool({
  name: 'generate_blog_outline',
  title: 'Outline a blog post',
  shortName: 'Outline post',
  kind: 'writing',
  icon: 'list-tree',
  domain: 'text',
  description:
    'Outlines a blog post in Markdown: title, introduction, numbered sections with subsections, conclusion, FAQ. It does not write the article. Capped at about 1,000 tokens.',
  input: z.strictObject({
    topic: z
      .string()
      .describe('Keywords, separated by commas: the first is primary, the rest secondary.'),
    sections: lenientInteger(5, 1, 20).describe(
      'Number of main sections between introduction and conclusion.',
    ),
  }),
  output: z.object({
    outline: z.string().meta({ description: 'Markdown.', contentMediaType: 'text/markdown' }),
  }),
  example: {
    parameters: { topic: 'sourdough, baking, beginners', sections: 4 },
    result: {
      outline:
        '# Sourdough for beginners\n\n## Introduction\n- Why sourdough is worth the time\n\n## 1. The starter\n' +
        '### 1.1 Flour and water\n### 1.2 Feeding it\n\n## 2. The dough\n### 2.1 Mixing\n### 2.2 Rising',
    },
  },
  form: {
    topic: { label: 'Keywords', help: 'Separated by commas, the most important first.' },
    sections: { label: 'Sections', help: 'Between introduction and conclusion.' },
  },
  synonyms: ['headings', 'structure', 'article plan'],
  access: 'anyone',
  limits: [{ calls: 10, per: 'minute', by: 'ip' }],
  spendsTokens: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: false, openWorld: true, destructive: false },
  needs: ['models'],
  model: 'text',
  check: ({ topic }) => {
    checkGiven(topic, 'topic', MAX_TOPIC_CHARACTERS);
    const keywords = keywordsOf(topic);
    if (keywords.length === 0)
      throw badRequest('The topic contains no keywords. Send at least one.', 'topic');
    return keywords;
  },
  async run({ sections }, context, keywords) {
    const question: ChatMessage = { role: 'user', content: userPrompt(keywords) };
    let best = await requestOutline([question], sections, context);
    if (best.missing.length > 0) {
      const again = await requestOutline(
        [
          question,
          { role: 'assistant', content: best.answer.text },
          { role: 'user', content: missingPrompt(best.missing) },
        ],
        sections,
        context,
      ).catch((error: unknown) => {
        // If only the model failed, the first outline is returned, because its tokens have already been charged.
        const isFromModel = error instanceof ToolError && !context.signal.aborted;
        if (!isFromModel || !isOutline(best.outline)) throw error;
        return best;
      });
      if (again.missing.length <= best.missing.length) best = again;
    }
    const { answer, outline, missing } = best;
    if (!isOutline(outline)) {
      throw failed('The model returned no outline. Use plain keywords as the topic.');
    }
    if (missing.length > 0) context.warn(`The outline lacks ${missing.join('; ')}.`);
    return modelOutput({ outline }, answer, MAX_TOKENS, context.warn);
  },
});

const isOutline = (text: string): boolean => /^(?:#|\*\*|\d+[.)]\s)/m.test(text);

const keywordsOf = (topic: string): string[] =>
  topic
    .split(',')
    .map((keyword) => keyword.trim())
    .filter(Boolean);

async function requestOutline(
  messages: readonly ChatMessage[],
  sections: number,
  context: Context<'models'>,
): Promise<Outline> {
  const request = { system: systemPrompt(sections), messages, maxTokens: MAX_TOKENS };
  const answer = await context.models.text(request, context);
  const outline = cleanAnswer(answer.text);
  return { answer, outline, missing: missingParts(outline, sections) };
}
