/**
 * Previews the result of compress_image in its result card while the visitor sets the quality. The browser encodes the
 * image, so that no change costs a run. The page loads this script when an image is chosen.
 */
import { stemOf } from '../../lib/filename.ts';
import { compareImages, isSameShape } from './parts/compare-images.ts';
import { distinctName } from './parts/distinct-name.ts';
import type { Drawn, PreviewJob } from './parts/drawn-image.ts';
import { byId, find, make } from './parts/elements.ts';
import { changeParts, soft } from './parts/file-result.ts';
import { NARROW } from './parts/narrow.ts';

/** The formats that are rarely animated. The browser would encode only the first frame of an animation. */
const INPUTS = ['image/jpeg', 'image/png'];
/** The extensions of the formats for which the browser's encoder resembles the service's. */
const EXTENSIONS: Record<string, string> = { webp: 'webp', jpeg: 'jpg' };
/** The reasons why other formats have no preview. */
const REASONS: Record<string, string> = {
  avif: 'There is no preview for AVIF, because browsers cannot encode it.',
  png: 'There is no preview for PNG. Without "Fewer colors", it keeps every color.',
};

const result = byId('result');
const { tool = '' } = byId('tool-form').dataset;
const note = make('p', { className: 'small soft', role: 'status' });
const line = make('p', { className: 'sizes cluster', role: 'status' });
const images = make('div', { className: 'stack' });
const save = make('a', { className: 'button', textContent: 'Save this preview' });
const drawnParts = make(
  'div',
  { className: 'stack' },
  line,
  images,
  make('div', { className: 'actions' }, save),
);
const box = make('div', { className: 'preview stack' }, note, drawnParts);
const quality = find(document, '[data-control="image-quality"]').closest('.field')!;
// On a phone, the result card is far below the quality field.
if (NARROW.matches) quality.after(box);
else find(result, '.stale').before(box);
box.hidden = true;

/** The worker of the latest preview. */
let worker: Worker | undefined;
/** The images that are compared, and the file that the first one shows. */
let shown: Shown | undefined;

interface Shown {
  file: File;
  before: HTMLImageElement;
  after: HTMLImageElement;
}

/**
 * Shows how the first JPEG or PNG among the files would look with these parameters. If the format has no preview, shows
 * the reason. Removes the preview if there is nothing to show.
 *
 * @param script the path of preview-image-worker.ts
 */
export async function previewImage(
  script: string,
  files: readonly File[],
  parameters: Record<string, unknown>,
): Promise<void> {
  worker?.terminate();
  worker = undefined;
  const file = files.find(({ type }) => INPUTS.includes(type));
  if (!file) return showNote('');
  const format = parameters.keepFormat
    ? file.type.replace('image/', '')
    : String(parameters.format ?? 'webp');
  if (!EXTENSIONS[format]) return showNote(REASONS[format] ?? '');
  const mine = new Worker(script, { type: 'module' });
  worker = mine;
  box.ariaBusy = 'true';
  const drawn = await drawnBy(mine, { file, parameters: { ...parameters, format } });
  mine.terminate();
  const loaded = drawn && (await imagesOf(file, drawn.blob).catch(() => undefined));
  // The visitor may have changed the form while the images were decoded.
  if (worker !== mine) return loaded && forget(loaded);
  if (!drawn || !loaded) return showNote('');
  show(loaded, drawn, format, files.length);
}

/** Returns undefined if the image cannot be drawn. */
function drawnBy(thread: Worker, job: PreviewJob): Promise<Drawn | undefined> {
  return new Promise((resolve) => {
    thread.onmessage = ({ data }: MessageEvent<Drawn | undefined>) => resolve(data);
    thread.onerror = () => resolve(undefined);
    thread.postMessage(job);
  });
}

/** Shows a note instead of the images. An empty note removes the preview. */
function showNote(text: string): void {
  box.ariaBusy = 'false';
  box.hidden = text === '';
  note.textContent = text;
  drawnParts.hidden = true;
  images.replaceChildren();
  if (shown) forget(shown, null);
  shown = undefined;
  if (text) result.dataset.previewed = 'note';
  else delete result.dataset.previewed;
}

/** Loads the image after compression and, unless it is shown already, the original. */
async function imagesOf(file: File, blob: Blob): Promise<Shown> {
  const after = await imageOf(blob, 'Preview of the result');
  if (shown?.file === file) return { ...shown, after };
  return { file, before: await imageOf(file, 'The original'), after };
}

/** Frees the memory of images that are not shown. */
function forget({ before, after }: Shown, inUse: Shown | null | undefined = shown): void {
  for (const image of [before, after])
    if (image !== inUse?.before && image !== inUse?.after) URL.revokeObjectURL(image.src);
}

/** Shows the images and their sizes. The divider, the zoom and the focus stay as they are if the size is the same. */
function show(loaded: Shown, { blob, width, height }: Drawn, format: string, count: number): void {
  const { file, before, after } = loaded;
  const isSame =
    shown?.before === before &&
    shown.after.naturalWidth === width &&
    shown.after.naturalHeight === height;
  if (shown && isSame) {
    URL.revokeObjectURL(shown.after.src);
    shown.after.src = after.src;
  } else {
    if (shown) forget(shown, loaded);
    shown = loaded;
    const parts = isSameShape(before, after)
      ? compareImages(before, after)
      : [make('div', { className: 'image' }, after)];
    images.replaceChildren(...parts);
  }
  // The WebP encoders are the same, but the service's JPEG encoder is better than the browser's.
  const qualifier = format === 'webp' ? 'about ' : 'under ';
  const of = count > 1 ? ` of ${file.name}, one of ${count} images` : '';
  const better = format === 'webp' ? '' : ' The service compresses JPEG better.';
  note.textContent = `Preview${of}, made in your browser.${better} Saving it does not use a run.`;
  line.replaceChildren(
    ...changeParts(file.size, blob.size, qualifier),
    soft(`${width} × ${height} pixels`),
  );
  save.href = after.src;
  const name = `${stemOf(file.name)}.${EXTENSIONS[format]}`;
  save.download = distinctName(name, [file], tool);
  box.ariaBusy = 'false';
  box.hidden = false;
  drawnParts.hidden = false;
  result.dataset.previewed = 'image';
}

async function imageOf(blob: Blob, alt: string): Promise<HTMLImageElement> {
  const image = make('img', { src: URL.createObjectURL(blob), alt });
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(image.src);
    throw error;
  }
  return image;
}
