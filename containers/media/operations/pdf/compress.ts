/**
 * compress_pdf, in a document process: downsamples images to 150 dpi and returns the smallest form of the file that has
 * lost nothing else.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, ToolError } from '../../../../src/core/errors.ts';
import { type Inventory, isSigned, takeInventory } from '../../pdf/inventory.ts';
import { PdfDamage, PdfReference } from '../../pdf/objects.ts';
import { miscounts } from '../../pdf/pages.ts';
import { isColourKeyed, recodableImage } from '../../pdf/recodable-image.ts';
import { findProgram } from '../../programs.ts';
import { ProgramFailure } from '../../run-program.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { distil } from './ghostscript.ts';
import { allowForPages, normalise, openInput, type PdfInput } from './input.ts';
import { qpdf } from './qpdf.ts';
import { recodeImages } from './recoder.ts';
import {
  type ShownImage,
  type ShownImages,
  shownImages,
  withHiddenShowings,
} from './shown-images.ts';
import { beginOriginal, lossOf, type Original } from './similarity.ts';
import { unchanged } from './unchanged.ts';

/** Ghostscript is tried if at least this much of the file is not images that we recode ourselves. */
const LEAST_REST_BYTES = 64 * 1024;
const LEAST_REST_SHARE = 0.1;
/** Ghostscript may change the look of every page, so all pages are compared. */
const MAXIMUM_DISTILLED_PAGES = 300;
/** Pages to compare if content streams are unchanged, in addition to those with a new image. */
const SAMPLE_PAGES = 10;

/** A program is missing, or the server is shutting down. */
const UNAVAILABLE = 503;

/** What is known about the file before any work. */
interface Task {
  input: PdfInput;
  inventory: Inventory;
  images: ShownImages;
  recodable: ShownImages['objects'];
  context: OperationContext;
}

/** An alternative form of the file. */
interface Form {
  path: string;
  size: number;
  /** Pages, from 1, to render and compare. */
  pages: number[];
}

export async function compressPdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'compress_pdf');
  const { input, inventory } = await openWhole(file, context);
  const { pages: total } = inventory;
  allowForPages(total, context);
  if (isSigned(input.document)) {
    return unchanged(
      'it is digitally signed, and any change would invalidate the signature',
      total,
    );
  }
  let images: ShownImages;
  try {
    const onScreen = await shownImages(input.path, context);
    images = await withHiddenShowings(onScreen, input.document, context);
  } catch (error) {
    if (!(error instanceof ProgramFailure || error instanceof PdfDamage)) throw error;
    return unchanged('its pages cannot be rendered, so the result could not be verified', total);
  }
  const recodable = images.objects.filter((shown) => isRecodable(input, shown));
  const task: Task = { input, inventory, images, recodable, context };
  const distilled = isForGhostscript(task);
  const pages = distilled ? range(inventory.pages) : pagesToCompare(task);
  const original = beginOriginal(input.path, pages, { inventory, images }, context);
  const forms = await Promise.all([
    recoded(task),
    distilled ? made(() => distilledForm(task, pages)) : undefined,
  ]);
  const best = await smallestWhole(forms, original, task);
  if (best instanceof Object) return asResult(best, total);
  if (recodable.length === 0 || best === undefined) return unchanged(reasonOf(best), total);
  // A recoded image differed too much, but packing the original file may still help.
  const packed = await smallestWhole([await made(() => packedForm(task))], original, task);
  return packed instanceof Object ? asResult(packed, total) : unchanged(reasonOf(best), total);
}

const asResult = ({ path, size }: Form, pages: number): StoredResult => ({
  contentType: 'application/pdf',
  path,
  size,
  meta: { pages },
});

const reasonOf = (loss: string | undefined) =>
  loss ? `a smaller file would have lost ${loss}` : 'it cannot be made smaller';

/** The smallest form that lost nothing, else what the smallest one lost; undefined if no form is smaller. */
async function smallestWhole(
  forms: readonly (Form | undefined)[],
  original: Original,
  { input, context }: Task,
): Promise<Form | string | undefined> {
  const smaller = forms.filter((form) => form !== undefined && form.size < input.file.size);
  let firstLoss: string | undefined;
  for (const form of (smaller as Form[]).sort((left, right) => left.size - right.size)) {
    const loss = await lossOf(form.path, original, form.pages, context);
    if (!loss) return form;
    firstLoss ??= loss;
  }
  return firstLoss;
}

/** Opens a file so that its whole structure can be read; repairs it first if needed. */
async function openWhole(
  file: OperationFile,
  context: OperationContext,
): Promise<{ input: PdfInput; inventory: Inventory }> {
  const input = await openInput(file, context);
  try {
    const inventory = takeInventory(input.document);
    if (!miscounts(input.document)) return { input, inventory };
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
  }
  const sound = await normalise(file, context);
  try {
    return { input: sound, inventory: takeInventory(sound.document) };
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
    throw badRequest(`"${file.name}" is damaged beyond repair. Save it again and send that.`);
  }
}

const referenceTo = ({ number, generation }: ShownImage) => new PdfReference(number, generation);

/** What our reader returns for an image; undefined if it cannot read it. */
function readOf<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PdfDamage) return undefined;
    throw error;
  }
}

const isRecodable = ({ document }: PdfInput, shown: ShownImage): boolean =>
  readOf(() => recodableImage(document, referenceTo(shown))) !== undefined;

/** Whether Ghostscript may save something, and loses nothing that it is known to lose. */
function isForGhostscript({ input, inventory, images, recodable }: Task): boolean {
  if (!inventory.plain || inventory.annotations.some((page) => page !== '')) return false;
  if (inventory.pages > MAXIMUM_DISTILLED_PAGES || !findProgram('gs')) return false;
  const { document } = input;
  for (const shown of images.objects) {
    if (readOf(() => isColourKeyed(document, referenceTo(shown))) !== false) return false;
  }
  let rest = document.bytes.length;
  for (const shown of recodable) {
    const image = recodableImage(document, referenceTo(shown));
    rest -= image?.stream.encoded.length ?? 0;
  }
  return rest >= LEAST_REST_BYTES && rest >= document.bytes.length * LEAST_REST_SHARE;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Pages with an image that may be recoded, and a sample of the others. */
function pagesToCompare({ inventory, recodable }: Task): number[] {
  const pages = new Set(recodable.flatMap((shown) => shown.pages));
  const step = Math.max(1, inventory.pages / SAMPLE_PAGES);
  for (let at = 0; at < inventory.pages; at += step) pages.add(Math.floor(at) + 1);
  return [...pages];
}

/** A form of the file, or undefined if its program fails or takes too long, because there are other forms. */
async function made(make: () => Promise<Form>): Promise<Form | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ProgramFailure) return undefined;
    if (error instanceof ToolError && error.status !== UNAVAILABLE) return undefined;
    throw error;
  }
}

/** The file with its images recoded; only packed if there are none or they cannot be recoded. */
async function recoded(task: Task): Promise<Form | undefined> {
  const { input, recodable, context } = task;
  if (recodable.length > 0) {
    const appended = join(context.directory, 'recoded.pdf');
    const form = await made(async () => {
      const work = { input: input.path, output: appended, images: recodable };
      const replaced = await recodeImages(work, context);
      return packedForm(task, replaced > 0 ? appended : input.path);
    });
    if (form) return form;
  }
  return made(() => packedForm(task));
}

/** The file packed by qpdf: objects in object streams, unused objects removed. */
async function packedForm(task: Task, from = task.input.path): Promise<Form> {
  const path = `${from}.packed.pdf`;
  await qpdf(
    ['--object-streams=generate', '--compression-level=9', '--deterministic-id', from, path],
    task.context,
  );
  return { path, size: (await stat(path)).size, pages: pagesToCompare(task) };
}

async function distilledForm(task: Task, pages: number[]): Promise<Form> {
  const path = join(task.context.directory, 'distilled.pdf');
  await distil(task.input.path, path, task.context);
  return { ...(await packedForm(task, path)), pages };
}
