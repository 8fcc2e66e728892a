/** Recodes the images of a PDF. */
import { ToolError } from '../../../../src/core/errors.ts';
import { CORES } from '../../cores.ts';
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

const CEILING = { seconds: 60, cores: CORES };
/** The maximum share of a task's CPU time that recoding may use. The comparison of the result needs the rest. */
const MAX_SHARE = 0.5;

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
  context: OperationContext;
}

/** Returns the document with its images recoded, or undefined if no image becomes smaller or recoding fails. */
export async function recodedImages(
  { source, recodable, drawable, hasBitmaps, context }: ImagesOf,
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
    const cpuSeconds = context.limit.within(CEILING).cpuSeconds * MAX_SHARE;
    return recodeImages(source.document, images, level, cpuSeconds);
  });
}

/**
 * Returns undefined if a program fails, takes too long or writes a damaged file. The caller then proceeds without the
 * recoded images.
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
