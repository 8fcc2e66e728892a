/**
 * Runs decode_qr_code in the browser. It tries the image in several sizes, with the original and with inverted colors.
 */
import { decodeQRBatch } from 'qr/decode.js';
import { codeBlock } from './parts/code-block.ts';
import { byId, find, make } from './parts/elements.ts';
import { setError } from './parts/field-errors.ts';
import { fileList } from './parts/file-list.ts';
import { sampleFile } from './parts/sample-file.ts';
import { takeSentFiles } from './parts/send-file.ts';

/** The lengths to try for the longer side, in pixels and in this order. */
const SIDES = [1000, 600, 1600, 2400, 350];
/** The maximum factor by which an image is enlarged, except to the last of the sides. Larger factors do not help. */
const MAX_SCALE = 4;
/** With the default limits, the library misses some of the codes in an image that contains six or more. */
const LIMITS = { effort: 20, timeLimit: 1000 };

const box = find(document, '[data-files]');
const { files, add, replace } = fileList(box);
const result = byId('result');
const output = byId('output');
const preview = byId('preview');
const problem = byId('files-error');

let latest = 0;

takeSentFiles(add);

find(document, '[data-sample]').addEventListener('click', async () =>
  replace([await sampleFile(byId('form'), 'qr-code.png', 0)]),
);

box.addEventListener('files', async () => {
  const mine = ++latest;
  const [file] = files();
  // The list has already set or cleared its own message about the files that were chosen last.
  if (!problem.hidden) showProblem(problem.textContent);
  delete result.dataset.state;
  output.replaceChildren();
  preview.hidden = true;
  if (!file) return;
  const bitmap = await createImageBitmap(file).catch(() => null);
  const image = bitmap && (await imageOf(file));
  // The visitor may have chosen another file in the meantime.
  if (mine !== latest) return bitmap?.close();
  if (!bitmap || !image)
    return showProblem(`This browser cannot read ${file.name}. Choose a PNG or JPEG image.`);
  preview.replaceChildren(image);
  preview.hidden = false;
  let count = 0;
  for await (const text of textsIn(bitmap)) {
    if (mine !== latest) break;
    count += 1;
    result.dataset.state = 'done';
    output.append(codeBlock(text, `the text of code ${count}`), ...linkNote(text));
  }
  bitmap.close();
  if (mine === latest && count === 0)
    showProblem('No QR code was found. Crop the image to the code, or use a sharper one.');
});

/** Yields the text of each QR code, without duplicates. */
async function* textsIn(bitmap: ImageBitmap): AsyncGenerator<string> {
  const texts = new Set<string>();
  for (const side of SIDES) {
    const scale = side / Math.max(bitmap.width, bitmap.height);
    if (scale > MAX_SCALE && side !== SIDES.at(-1)) continue;
    const image = scaled(bitmap, scale);
    const { width, height } = image;
    const images = [image, inverted(image)];
    const found = await decodeQRBatch(images, { ...LIMITS, maxSize: { width, height } });
    for (const text of found.flat()) {
      if (typeof text !== 'string' || texts.has(text)) continue;
      texts.add(text);
      yield text;
    }
  }
}

function inverted(image: ImageData): ImageData {
  // Every fourth byte is the alpha value, which stays unchanged.
  const data = image.data.map((byte, index) => (index % 4 === 3 ? byte : 255 - byte));
  return new ImageData(data, image.width);
}

/** Returns the image on a white background with a margin, because tightly cropped codes have none. */
function scaled(bitmap: ImageBitmap, scale: number): ImageData {
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const margin = Math.round(Math.max(width, height) * 0.06);
  const canvas = new OffscreenCanvas(width + 2 * margin, height + 2 * margin);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, margin, margin, width, height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function imageOf(file: File): Promise<HTMLImageElement> {
  const image = make('img', { src: URL.createObjectURL(file), alt: 'The chosen image' });
  await image.decode().catch(() => {});
  URL.revokeObjectURL(image.src);
  return image;
}

/** Returns a note that names the host to which a code's link leads. */
function linkNote(text: string): HTMLElement[] {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const host = make('strong', { textContent: url.host });
  const link = make('a', { href: url.href, rel: 'noreferrer', textContent: 'open the link' });
  return [
    make('p', { className: 'small soft' }, 'Opens ', host, '. If you trust this host, ', link, '.'),
  ];
}

function showProblem(message: string): void {
  // Focusing the field makes screen readers read out the message.
  setError(box, message, true);
  problem.scrollIntoView({ block: 'nearest' });
}
