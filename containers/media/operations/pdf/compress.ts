/**
 * Runs compress_pdf in a document process. Downsamples images to 150 dpi, or to 100 dpi at the strong level, embeds
 * only the glyphs that are used, and removes data that no page shows. Returns the result only if a comparison with the
 * input finds no loss.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressInSteps, type Step, streamBytes } from '../../pdf/compress/compress-steps.ts';
import { Draft } from '../../pdf/compress/draft.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import type { Level } from '../../pdf/image-scale.ts';
import { type Inventory, isSigned } from '../../pdf/inventory.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { isAmongFew } from './drawn-images.ts';
import {
  encodedBytes,
  isDrawable,
  isMatted,
  isRecoded,
  isReducible,
  mayShrink,
} from './images-to-recode.ts';
import { allowForPages, orByQpdf, type PdfInput } from './input.ts';
import { countPagesByQpdf } from './pages-only.ts';
import { pagesToCompare } from './pages-to-compare.ts';
import { type ImagesOf, recodedImages, recodingTime } from './recoded-images.ts';
import { type ShownImages, shownImages, withHiddenShowings } from './shown-images.ts';
import { beginOriginal, lossOf, type Original } from './similarity.ts';
import { unchanged } from './unchanged.ts';
import { openWhole, type WholeInput } from './whole-input.ts';

/** The progress to report after each stage, based on the stage's usual share of the time. */
const PROGRESS = { read: 0.3, recoded: 0.7, written: 0.8 };

/** If the size of the result is at least this share of the input's size, compression has saved little. */
const LITTLE_SAVED = 0.7;
/** If the images that the strong level reduces are more than this share of a result's bytes, it may save a lot. */
const MOSTLY_IMAGES = 0.5;

/** If `sharpness of images` is omitted, the strong level recodes images as the standard level does. */
type Omissible = Step | ImageStep;
type ImageStep = 'images' | 'images with a matte' | 'sharpness of images';

const OF_IMAGES = new Set<Omissible>(['images', 'images with a matte', 'sharpness of images']);

/**
 * The steps that each attempt omits. Attempts continue until a result is smaller than the input and has lost nothing.
 * The last attempt only recompresses the streams and packs the objects.
 */
const ATTEMPTS: readonly (readonly Omissible[])[] = [
  [],
  ['fonts'],
  ['Unicode maps'],
  ['images with a matte'],
  ['sharpness of images'],
  ['fonts', 'sharpness of images'],
  ['images'],
  ['fonts', 'images'],
  ['content'],
  ['color profiles'],
  ['duplicates'],
  ['unused data'],
  ['Unicode maps', 'fonts', 'images', 'color profiles', 'content', 'duplicates', 'unused data'],
];

/** The input and its properties before any change. */
interface Task extends Images {
  level: Level;
  input: PdfInput;
  inventory: Inventory;
  original: Original;
}

interface Images extends ImagesOf {
  /** The pages that differ between the input and `source`. */
  liftedPages: readonly number[];
  /** Images whose resolution the strong level would reduce. */
  reducible: ShownImages['objects'];
}

/** The document with which an attempt starts. */
interface Base {
  document: PdfDocument;
  /** The steps that this attempt omits. */
  omitted: readonly Omissible[];
}

export async function compressPdf(
  { level }: Record<string, unknown>,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'compress_pdf');
  return orByQpdf(
    compressFile(file, level === 'strong' ? level : 'standard', context),
    async (path) => {
      const pages = await countPagesByQpdf(path, context);
      if (!pages) return undefined;
      return unchanged('the file is malformed, so the result could not be verified', pages);
    },
  );
}

async function compressFile(
  file: OperationFile,
  level: Level,
  context: OperationContext,
): Promise<StoredResult> {
  const whole = await openWhole(file, context);
  const { input, inventory, hasImages } = whole;
  allowForPages(inventory.pages, context);
  if (isSigned(input.document)) {
    return unchanged(
      'the file is digitally signed, and any change would invalidate the signature',
      inventory.pages,
    );
  }
  const original = beginOriginal(input.path, inventory, hasImages, context);
  try {
    const images = await findImages(whole, original, level, context);
    context.progress?.(PROGRESS.read);
    return await firstLossless({ ...images, level, input, inventory, original });
  } catch (error) {
    if (!(error instanceof ProgramFailure || error instanceof PdfDamage)) throw error;
    return unchanged(
      'the file cannot be read completely, so the result could not be verified',
      inventory.pages,
    );
  }
}

/** Returns the images that may become smaller. */
async function findImages(
  { input, lifted, hasBitmaps }: WholeInput,
  original: Original,
  level: Level,
  context: OperationContext,
): Promise<Images> {
  const ofInput = await original.images;
  const source = lifted ? await written(lifted.document, input, context) : input;
  const { document } = source;
  const ofSource = lifted ? await shownImages(source.path, context) : ofInput;
  const shown = ofSource && (await withHiddenShowings(ofSource, document, context));
  const images = shown?.objects ?? [];
  return {
    source,
    recodable: images.filter((image) => mayShrink(document, image, level)),
    drawable: images.filter(
      (image) => isDrawable(document, image, level) && shown && isAmongFew(shown, image),
    ),
    reducible: images.filter((image) => isReducible(document, image)),
    hasBitmaps,
    liftedPages: lifted?.pages ?? [],
    isSpent: recodingTime(context),
    context,
  };
}

/** Returns the result of the first attempt that makes the file smaller and loses nothing. */
async function firstLossless(task: Task): Promise<StoredResult> {
  const { input, context, original, inventory } = task;
  const path = join(context.directory, 'compressed.pdf');
  const triedSizes = new Set<number>();
  let firstLoss: string | undefined;
  for await (const { document, omitted } of attempts(task)) {
    context.progress?.(PROGRESS.recoded);
    const steps = new Set(omitted.filter((step) => !isOfImages(step)));
    const made = compressInSteps(document, steps);
    const size = made.bytes.length;
    // If omitting a step does not change the size, the file is probably the same as before and would fail the
    // comparison again.
    if (size >= input.file.size || triedSizes.has(size)) continue;
    triedSizes.add(size);
    await writeFile(path, made.bytes);
    context.progress?.(PROGRESS.written);
    const lossy = pagesWithLoss(task, document);
    const pages = pagesToCompare(inventory, lossy, made);
    const loss = await lossOf(path, original, { all: pages, lossy }, context);
    if (!loss) {
      const imageBytes = bytesOf(input.document) - bytesOf(document);
      const meta = {
        pages: inventory.pages,
        saved: savedByKind(made.saved, imageBytes, input.file.size - size),
        undone: [...omitted],
        ...(!omitted.includes('images') && strongerHint(task, document, size)),
      };
      return { contentType: 'application/pdf', path, size, meta };
    }
    firstLoss ??= loss;
  }
  if (firstLoss) return unchanged(`a smaller file would have lost ${firstLoss}`, inventory.pages);
  const result = unchanged('the file cannot be made smaller', inventory.pages);
  const hint = strongerHint(task, input.document, input.file.size);
  return { ...result, meta: { ...result.meta, ...hint } };
}

/** Returns the pages on which images may look slightly different in `document`. */
function pagesWithLoss(task: Task, document: PdfDocument): Set<number> {
  const { recodable, drawable, source, liftedPages } = task;
  const recoded = [...recodable, ...drawable].filter((image) =>
    isRecoded(source.document, document, image),
  );
  return new Set([...liftedPages, ...recoded.flatMap(({ pages }) => pages)]);
}

/**
 * Yields the attempts, starting with the most promising one. At the strong level, images are recoded at the standard
 * level only if earlier attempts have failed.
 */
async function* attempts(task: Task): AsyncGenerator<Base> {
  const { level, input } = task;
  const recoded = (await recodedImages(task, level)) ?? input.document;
  let sharper: PdfDocument | undefined;
  for (const omitted of ATTEMPTS) {
    if (!omitted.some(isOfImages)) yield { document: recoded, omitted };
    else if (omitted.includes('images')) yield { document: input.document, omitted };
    else if (omitted.includes('images with a matte')) {
      const others = task.recodable.filter((image) => !isMatted(task.source.document, image));
      if (others.length === task.recodable.length) continue;
      const document = await recodedImages({ ...task, recodable: others }, level);
      yield { document: document ?? input.document, omitted };
    } else if (level === 'strong') {
      sharper ??= (await recodedImages(task, 'standard')) ?? input.document;
      yield { document: sharper, omitted };
    }
  }
}

const isOfImages = (step: Omissible): step is ImageStep => OF_IMAGES.has(step);

/** Returns `{ mayShrinkMore: true }` if the standard level has saved little and the strong level may save more. */
function strongerHint({ level, reducible, input }: Task, document: PdfDocument, size: number) {
  if (level === 'strong' || size < input.file.size * LITTLE_SAVED) return {};
  const bytes = reducible.map((image) => encodedBytes(document, image));
  const all = bytes.reduce((sum, value) => sum + value, 0);
  return all > size * MOSTLY_IMAGES ? { mayShrinkMore: true } : {};
}

const bytesOf = (document: PdfDocument) => streamBytes(new Draft(document));

/** Returns the number of bytes saved, by kind. `structure` includes everything outside streams. */
function savedByKind(steps: ReadonlyMap<Step, number>, images: number, all: number) {
  const saved = new Map<string, number>([...steps, ['images', images]]);
  const known = [...saved.values()].reduce((sum, bytes) => sum + bytes, 0);
  saved.set('structure', all - known);
  return Object.fromEntries([...saved].filter(([, bytes]) => bytes > 0));
}

/** Writes a document to a file, for programs that read it. Its inline images have been converted to objects. */
async function written(document: PdfDocument, input: PdfInput, { directory }: OperationContext) {
  const path = join(directory, 'lifted.pdf');
  await writeFile(path, document.bytes);
  return { ...input, document, path };
}
