/** generate_image: a picture from a description, always a PNG, by the first image model that answers. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, farSideFailed, ToolError } from '../../core/errors.ts';
import { memoryFile } from '../../core/input-file.ts';
import { file } from '../../core/tool-output.ts';
import { checkGiven } from '../../lib/given-text.ts';
import { isWholePng } from '../../lib/picture-kind.ts';

const MAX_CHARACTERS = 2000;
const TYPE = 'image/png';
const FILENAME = 'image.png';

export const generateImage = defineTool({
  name: 'generate_image',
  title: 'Generate an image',
  shortName: 'Generate image',
  kind: 'media',
  icon: 'M4 8h12v12H4zM4 17l4-4 5 5M19 2v6M16 5h6',
  domain: 'media',
  description:
    'Makes one PNG from a description of at most 2,000 characters. A signed-in account or its API key is needed. No size or seed control; the same prompt gives another picture each time.',
  input: z.strictObject({
    prompt: z.string().describe('What the picture shows, at most 2,000 characters.'),
    negativePrompt: z
      .string()
      .optional()
      .describe(
        'What it must not show, at most 2,000 characters; honoured only by the last fallback provider.',
      ),
  }),
  produces: [TYPE],
  inline: true,
  example: { parameters: { prompt: 'A lighthouse at dusk, watercolour' } },
  form: { prompt: { rows: 4 }, negativePrompt: { rows: 2 } },
  access: 'account',
  limits: [{ calls: 20, per: 'hour', by: 'account' }],
  spendsTokens: true,
  doors: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: false, openWorld: true, destructive: false },
  needs: ['models', 'media'],
  model: 'image',
  check: ({ prompt, negativePrompt }) => {
    // api.md gives 413 to the text of humanize_text only; what else a tool rejects is 400.
    checkGiven(prompt, 'prompt', MAX_CHARACTERS, badRequest);
    if (negativePrompt?.trim()) {
      checkGiven(negativePrompt, 'negativePrompt', MAX_CHARACTERS, badRequest);
    }
  },
  async run({ prompt, negativePrompt: unwanted = '' }, context) {
    const negativePrompt = unwanted.trim() || undefined;
    const picture = await context.models.image({ prompt, negativePrompt }, context);
    if (negativePrompt && !picture.negativePromptUsed) {
      context.warn(`negativePrompt was not used: ${picture.provider} does not take one.`);
    }
    const headers = { 'X-Provider': picture.provider };
    if (isWholePng(picture.bytes)) {
      return file(picture.bytes, TYPE, FILENAME, { headers });
    }
    const { media, signal } = context;
    const png = await media
      .run(
        'compress_image',
        { format: 'png', quality: 1 },
        [memoryFile('picture', picture.bytes)],
        signal,
      )
      .catch((error) => {
        // The picture is not the caller's.
        const theirs = error instanceof ToolError && error.status < 500;
        throw theirs ? farSideFailed('The model sent a damaged picture. Try again.', error) : error;
      });
    return file(png.body, TYPE, FILENAME, { size: png.size, headers });
  },
});
