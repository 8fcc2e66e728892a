/** Recodes the images of a PDF. */
import { ToolError } from '../../../../src/core/errors.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import type { Level } from '../../pdf/image-scale.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import { ProgramFailure } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import { drawnImages } from './drawn-images.ts';
import type { PdfInput } from './input.ts';
import type { ImageToRecode } from './recode-images.ts';
import type { ShownImages } from './shown-images.ts';

/** The HTTP status if a program is missing or the server is shutting down. */
const UNAVAILABLE = 503;

/** The maximum share of a task's CPU time that recoding may use. The comparison of the result needs the rest. */
const MAX_CPU_SHARE = 0.5;
/** The time limit of recoding in milliseconds, which leaves time for the other steps of the compression. */
const TIME_LIMIT_MS = 60_000;
const CEILING = { seconds: 300 };

/** Returns a function that tells whether recoding has used its time. The time starts now. */
export function recodingTime({ limit }: OperationContext): () => boolean {
  const before = process.cpuUsage();
  const started = performance.now();
  const microseconds = limit.within(CEILING).cpuSeconds * MAX_CPU_SHARE * 1e6;
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system > microseconds || performance.now() - started > TIME_LIMIT_MS;
  };
}

/** The images of a PDF that may become smaller. */
export interface ImagesOf {
  /** The input with its large inline images converted to objects. */
  source: PdfInput;
  /** Images that pages show and that may become smaller. */
  recodable: ShownImages['objects'];
  /** Images that only poppler can decode and that may become smaller. */
  drawable: ShownImages['objects'];
  /** Whether there may be one-bit images, or images with few colors, that can be recoded. */
  hasBitmaps: boolean;
  /** Whether the task has used its time for recoding. All recodings of the task share it. */
  isSpent: () => boolean;
  context: OperationContext;
}

/** Returns the document with its images recoded, or undefined if no image becomes smaller. */
export async function recodedImages(
  { source, recodable, drawable, hasBitmaps, isSpent, context }: ImagesOf,
  level: Level,
): Promise<PdfDocument | undefined> {
  if (recodable.length + drawable.length === 0 && !hasBitmaps) return undefined;
  const { recodeImages } = await import('./recode-images.ts');
  return made(async () => {
    const drawings = await drawnImages(source.path, drawable, context);
    const drawn = drawable.flatMap((image): ImageToRecode[] => {
      const drawing = drawings.get(image.number);
      return drawing ? [{ ...image, drawing }] : [];
    });
    const images = [...recodable, ...drawn];
    return recodeImages(source.document, images, level, isSpent);
  });
}

/**
 * Returns undefined if poppler fails or takes too long, or if the document is damaged. The caller then proceeds without
 * the recoded images.
 */
async function made(
  make: () => Promise<PdfDocument | undefined>,
): Promise<PdfDocument | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ProgramFailure || error instanceof PdfDamage) return undefined;
    if (error instanceof ToolError && error.status !== UNAVAILABLE) return undefined;
    throw error;
  }
}
