/**
 * Previews the result of compress_image in its result card while the visitor sets the quality. The browser encodes the
 * image, so that no change costs a run. The page loads this script when an image is chosen.
 */
import { sizeText } from '../tool/size-text.ts';
import { compareImages, isSameShape } from './parts/compare-images.ts';
import type { Drawn, PreviewJob } from './parts/drawn-image.ts';
import { byId, make } from './parts/elements.ts';
import { changeText } from './parts/file-result.ts';

/** Other formats may be animated, but the browser encodes only the first frame. */
const INPUTS = ['image/jpeg', 'image/png'];
/** The formats for which the browser's encoder resembles the service's. */
const OUTPUTS = ['webp', 'jpeg'];

const result = byId('result');
const line = make('p', { className: 'sizes cluster', role: 'status' });
const note = make('p', { className: 'small soft', textContent: 'Preview, made in your browser' });
const images = make('div', { className: 'stack' });
const box = make('div', { className: 'preview stack' }, note, line, images);
result.append(box);

let worker: Worker | undefined;
/** The images that are compared, and the file that the first one shows. */
let shown: { file: File; before: HTMLImageElement; after: HTMLImageElement } | undefined;

/**
 * Shows how `file` would look with these parameters, or removes the preview if the browser cannot encode it.
 *
 * @param script the path of preview-image-worker.ts
 */
export async function previewImage(
  script: string,
  file: File | undefined,
  parameters: Record<string, unknown>,
): Promise<void> {
  worker?.terminate();
  const { format = 'webp' } = parameters;
  if (!file || !INPUTS.includes(file.type) || !OUTPUTS.includes(String(format))) return hide();
  const mine = new Worker(script, { type: 'module' });
  worker = mine;
  box.ariaBusy = 'true';
  const drawn = await answerOf(mine, { file, parameters });
  // A terminated worker's promise never resolves, so this preview is always the latest one.
  mine.terminate();
  box.ariaBusy = 'false';
  if (!drawn) return hide();
  await showImages(file, drawn);
  describe(file, drawn, format === 'webp');
  result.dataset.previewed = '';
}

function answerOf(thread: Worker, job: PreviewJob): Promise<Drawn | undefined> {
  return new Promise((resolve) => {
    thread.onmessage = ({ data }: MessageEvent<Drawn | undefined>) => resolve(data);
    thread.onerror = () => resolve(undefined);
    thread.postMessage(job);
  });
}

function hide(): void {
  delete result.dataset.previewed;
  images.replaceChildren();
  forget();
}

/** Frees the memory of the compared images. */
function forget(): void {
  for (const image of shown ? [shown.before, shown.after] : []) URL.revokeObjectURL(image.src);
  shown = undefined;
}

/** Replaces the image after compression. The divider and the zoom are unchanged if the size is the same. */
async function showImages(file: File, { blob, width, height }: Drawn): Promise<void> {
  const after = await imageOf(blob, 'Preview of the result');
  const isSame =
    shown?.file === file &&
    shown.after.naturalWidth === width &&
    shown.after.naturalHeight === height;
  if (shown && isSame) {
    URL.revokeObjectURL(shown.after.src);
    shown.after.src = after.src;
    return;
  }
  forget();
  const before = await imageOf(file, 'The original');
  shown = { file, before, after };
  const parts = isSameShape(before, after)
    ? compareImages(before, after)
    : [make('div', { className: 'image' }, after)];
  images.replaceChildren(...parts);
}

async function imageOf(blob: Blob, alt: string): Promise<HTMLImageElement> {
  const image = make('img', { src: URL.createObjectURL(blob), alt });
  await image.decode();
  return image;
}

/**
 * Describes the preview. WebP sizes differ from the service's by only about 1 %, because both use the same encoder. The
 * service's JPEG encoder is better than the browser's.
 */
function describe(file: File, { blob, width, height }: Drawn, isExact: boolean): void {
  const change = changeText(file.size, blob.size);
  const chip = make('span', { className: change.endsWith('smaller') ? 'chip good' : 'chip' });
  chip.textContent = change;
  const soft = (textContent: string) => make('span', { className: 'soft', textContent });
  line.replaceChildren(
    soft(`${sizeText(file.size)} →`),
    make('strong', { textContent: `${isExact ? 'about' : 'under'} ${sizeText(blob.size)}` }),
    ...(isExact ? [chip] : []),
    soft(`${width} × ${height} pixels`),
  );
}
