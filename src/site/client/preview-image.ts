/**
 * Previews the result of compress_image in its result card while the visitor sets the quality. The browser encodes the
 * image, so that no change costs a run. The page loads this script when an image is chosen.
 */
import { sizeText } from '../tool/size-text.ts';
import { compareImages, isSameShape } from './parts/compare-images.ts';
import { distinctName } from './parts/distinct-name.ts';
import type { Drawn, PreviewJob } from './parts/drawn-image.ts';
import { byId, find, make } from './parts/elements.ts';
import { changeText } from './parts/file-result.ts';

/** Other formats may be animated, but the browser encodes only the first frame. */
const INPUTS = ['image/jpeg', 'image/png'];
/** The extensions of the formats for which the browser's encoder resembles the service's. */
const EXTENSIONS: Record<string, string> = { webp: 'webp', jpeg: 'jpg' };
/** The reasons why other formats have no preview. */
const REASONS: Record<string, string> = {
  avif: 'There is no preview for AVIF, because browsers cannot encode it.',
  png: 'There is no preview for PNG. Without "Fewer colors", it looks like the original.',
};
/** Matches a narrow screen, such as a phone, where the result card is far below the quality. */
const NARROW = matchMedia('(max-width: 34rem)');

const result = byId('result');
const note = make('p', { className: 'small soft' });
const line = make('p', { className: 'sizes cluster', role: 'status' });
const save = make('a', { className: 'button', textContent: 'Save this preview' });
const images = make('div', { className: 'stack' });
const box = make('div', { className: 'preview stack' });
const quality = find(document, '[data-control="image-quality"]').closest('.field')!;
if (NARROW.matches) quality.after(box);
else result.append(box);

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
  const format = String(parameters.format ?? 'webp');
  if (!file || !INPUTS.includes(file.type)) return showNote('');
  if (!EXTENSIONS[format]) return showNote(REASONS[format] ?? '');
  const mine = new Worker(script, { type: 'module' });
  worker = mine;
  box.ariaBusy = 'true';
  const drawn = await answerOf(mine, { file, parameters });
  // A terminated worker's promise never resolves, so this preview is always the latest one.
  mine.terminate();
  box.ariaBusy = 'false';
  if (!drawn) return showNote('');
  await showImages(file, drawn);
  describe(file, drawn, format);
  box.replaceChildren(note, line, images, make('div', { className: 'actions' }, save));
  result.dataset.previewed = 'image';
}

function answerOf(thread: Worker, job: PreviewJob): Promise<Drawn | undefined> {
  return new Promise((resolve) => {
    thread.onmessage = ({ data }: MessageEvent<Drawn | undefined>) => resolve(data);
    thread.onerror = () => resolve(undefined);
    thread.postMessage(job);
  });
}

/** Shows a note instead of the images. An empty note removes the preview. */
function showNote(text: string): void {
  note.textContent = text;
  forget();
  images.replaceChildren();
  box.replaceChildren(...(text ? [note] : []));
  if (text) result.dataset.previewed = 'note';
  else delete result.dataset.previewed;
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
 * Describes the preview. Its WebP is about as large as the service's, which uses the same encoder. Its JPEG is larger,
 * because the service's encoder is better.
 */
function describe(file: File, { blob, width, height }: Drawn, format: string): void {
  const isExact = format === 'webp';
  const change = changeText(file.size, blob.size);
  const chip = make('span', { className: change.endsWith('smaller') ? 'chip good' : 'chip' });
  chip.textContent = change;
  const soft = (textContent: string) => make('span', { className: 'soft', textContent });
  note.textContent = 'Preview, made in your browser. Saving it does not use a run.';
  line.replaceChildren(
    soft(`${sizeText(file.size)} →`),
    make('strong', { textContent: `${isExact ? 'about' : 'under'} ${sizeText(blob.size)}` }),
    ...(isExact ? [chip] : []),
    soft(`${width} × ${height} pixels`),
  );
  save.href = shown!.after.src;
  save.download = distinctName(
    `${file.name.replace(/\.[^.]*$/, '')}.${EXTENSIONS[format]}`,
    [file],
    'compress_image',
  );
}
