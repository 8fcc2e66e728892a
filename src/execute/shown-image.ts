/** Reduces the size of an image before a model receives it, because every pixel costs tokens. */
import type { InputFile } from '../core/input-file.ts';
import { MB } from '../core/limits.ts';
import type { MediaPort } from '../core/ports.ts';
import { readableKind } from '../lib/image-kind.ts';
import { logCause } from '../lib/log.ts';
import { measureImage } from '../web/image-size.ts';

/** The maximum side length, in pixels, of an image that models do not downscale. */
const MAX_SIDE = 1568;
const MAX_BYTES = 300 * 1000;
/** The maximum size of the source file in bytes. A preview of a larger file would take too long. */
const MAX_SOURCE_BYTES = 20 * MB;
/** The types that model clients accept. */
const SHOWN: Record<string, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/**
 * The settings of each attempt to reduce an image. The second attempt is made only if the result of the first one
 * exceeds MAX_BYTES.
 */
const ATTEMPTS = [
  { format: 'webp', quality: 0.8, side: MAX_SIDE },
  { format: 'jpeg', quality: 0.5, side: 1024 },
] as const;

export interface ShownImage {
  bytes: Uint8Array;
  mimeType: string;
}

/**
 * Returns the image, reduced if it is large. Returns null if the file is not an image, is too large or cannot be
 * reduced, so that the model gets only its link.
 */
export async function shownImage(
  file: InputFile,
  media: MediaPort,
  signal: AbortSignal,
  requestId: string,
): Promise<ShownImage | null> {
  const kind = readableKind(file.head);
  if (kind === null || file.size > MAX_SOURCE_BYTES) return null;
  const { width = 0, height = 0 } = measureImage(file.head) ?? {};
  const side = Math.max(width, height);
  const isSmall = side > 0 && side <= MAX_SIDE && file.size <= MAX_BYTES;
  if (isSmall && SHOWN[kind]) return { bytes: await file.bytes(), mimeType: SHOWN[kind] };
  try {
    for (const { format, quality, side: most } of ATTEMPTS) {
      const fits = side > 0 && side <= most;
      const box = fits ? {} : { width: most, height: most, keepAspectRatio: true };
      const { body } = await media.run(
        'compress_image',
        { format, quality, ...box },
        [file],
        signal,
      );
      const bytes = new Uint8Array(await new Response(body).arrayBuffer());
      if (bytes.byteLength <= MAX_BYTES) return { bytes, mimeType: `image/${format}` };
    }
  } catch (error) {
    // The result is already stored and only the preview is missing, so the call still succeeds. A caller that
    // disconnects is not a failure of the service.
    if (!signal.aborted) logCause(requestId, error);
  }
  return null;
}
