/** Finds the panels of an image with a vision model. */
import * as z from 'zod';
import { ToolError } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import type { ModelCall } from '../../core/models-port.ts';
import type { MediaPort, Ports } from '../../core/ports.ts';
import { SYSTEM_PROMPT, userPrompt } from './prompt.ts';
import { type Box, repairBoxes } from './repair-boxes.ts';

/** The maximum side length of an image, in pixels, that vision models process without downscaling. */
const SENT_SIDE = 1024;
const MAX_TOKENS = 1500;

const side = z.number();
const ANSWER = z.object({
  panels: z.array(z.object({ x: side, y: side, width: side, height: side })),
});

export interface SeenPanels {
  boxes: Box[];
  /** The size of the image to which the boxes refer. */
  of: { width: number; height: number };
}

/**
 * Returns the boxes that the model finds. The list is empty if the model finds no panels, or if no model is configured.
 * Any other failure is thrown.
 */
export async function seenPanels(
  source: InputFile,
  media: MediaPort,
  models: Ports['models'],
  call: ModelCall,
): Promise<SeenPanels> {
  const { bytes, width, height } = await smallJpeg(source, media, call.signal);
  const request = {
    system: SYSTEM_PROMPT,
    messages: [{ role: 'user' as const, content: userPrompt(width, height) }],
    maxTokens: MAX_TOKENS,
    schema: ANSWER,
    image: { bytes, contentType: 'image/jpeg' },
  };
  try {
    const { value } = await models.vision(request, call);
    return { boxes: repairBoxes(value.panels, width, height), of: { width, height } };
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'tool_unsupported')) throw error;
    return { boxes: [], of: { width, height } };
  }
}

async function smallJpeg(source: InputFile, media: MediaPort, signal: AbortSignal) {
  const options = {
    format: 'jpeg',
    quality: 0.85,
    width: SENT_SIDE,
    height: SENT_SIDE,
    keepAspectRatio: true,
  };
  const { body, meta } = await media.run('compress_image', options, [source], signal);
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  return { bytes, width: Number(meta.width), height: Number(meta.height) };
}
