/** generate_image: generates a PNG from a description, with the first image model that responds. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, ToolError, upstreamFailed } from '../../core/errors.ts';
import { memoryFile } from '../../core/input-file.ts';
import { file } from '../../core/tool-output.ts';
import { isWholePng } from '../../lib/image-kind.ts';
import { measureImage } from '../../web/image-size.ts';
import { checkGiven } from '../given-text.ts';
import { sizeOf } from '../media-facts.ts';

const MAX_CHARACTERS = 2000;
const TYPE = 'image/png';
const FILENAME = 'image.png';

export const generateImage = defineTool({
  name: 'generate_image',
  title: 'Generate an image',
  shortName: 'Generate image',
  kind: 'media',
  icon: 'palette',
  domain: 'media',
  description:
    'Generates one PNG from a description of at most 2,000 characters. Requires a signed-in account or its API key. Size and seed cannot be set; the same prompt gives a different image each time.',
  input: z.strictObject({
    prompt: z.string().describe('What the image shows, at most 2,000 characters.'),
    negativePrompt: z
      .string()
      .optional()
      .describe(
        'What the image must not show, at most 2,000 characters; used only by the last fallback provider.',
      ),
  }),
  produces: [TYPE],
  inline: true,
  example: { parameters: { prompt: 'A lighthouse at dusk, watercolor' } },
  form: {
    prompt: { label: 'What should the image show?', help: '', rows: 4 },
    negativePrompt: {
      label: 'What should it not show?',
      help: 'Some models ignore this.',
      rows: 2,
      isAdvanced: true,
    },
  },
  synonyms: ['draw', 'picture', 'illustration', 'ai art'],
  access: 'account',
  limits: [{ calls: 20, per: 'hour', by: 'account' }],
  spendsTokens: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: false, openWorld: true, destructive: false },
  needs: ['models', 'media'],
  model: 'image',
  check: ({ prompt, negativePrompt }) => {
    // A prompt that is too long causes a 400, because api.md does not define 413 for this tool.
    checkGiven(prompt, 'prompt', MAX_CHARACTERS, badRequest);
    if (negativePrompt?.trim()) {
      checkGiven(negativePrompt, 'negativePrompt', MAX_CHARACTERS, badRequest);
    }
  },
  async run({ prompt, negativePrompt: unwanted = '' }, context) {
    const negativePrompt = unwanted.trim() || undefined;
    const generated = await context.models.image({ prompt, negativePrompt }, context);
    if (negativePrompt && !generated.negativePromptUsed) {
      context.warn(
        `negativePrompt was not used: the model of ${generated.provider} does not support it.`,
      );
    }
    const headers = { 'X-Provider': generated.provider };
    if (isWholePng(generated.bytes)) {
      const { width, height } = measureImage(generated.bytes) ?? {};
      return file(generated.bytes, TYPE, FILENAME, { headers, facts: { width, height } });
    }
    const { media, signal } = context;
    const png = await media
      .run(
        'compress_image',
        { format: 'png', quality: 1 },
        [memoryFile('image', generated.bytes)],
        signal,
      )
      .catch((error) => {
        // The error is not a 400, because the damaged image comes from the model and not from the caller.
        const theirs = error instanceof ToolError && error.status < 500;
        throw theirs
          ? upstreamFailed('The model returned a damaged image. Try again.', error)
          : error;
      });
    return file(png.body, TYPE, FILENAME, { size: png.size, headers, facts: sizeOf(png.meta) });
  },
});
