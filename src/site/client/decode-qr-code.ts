/**
 * Runs decode_qr_code in the browser. It tries the image in several sizes, with the original and with inverted colors.
 */
import decode from 'qr/decode.js';
import { codeBlock } from './parts/code-block.ts';
import { byId, find, make } from './parts/elements.ts';
import { fileList } from './parts/file-list.ts';
import { sampleFile } from './parts/sample-file.ts';
import { takeSentFiles } from './parts/send-file.ts';

/** The lengths of the longer side to try, in pixels and in this order. */
const SIDES = [1000, 600, 1600, 2400, 350];
/** The maximum scale of a small image. Larger scales do not help. */
const MAX_SCALE = 4;

const box = find(document, '[data-files]');
const { files, add, replace } = fileList(box);
const result = byId('result');
const output = byId('output');
const preview = byId('preview');
const input = find(box, 'input');
const problem = byId('files-error');

let latest = 0;

takeSentFiles(add);

find(document, '[data-sample]').addEventListener('click', async () =>
  replace([await sampleFile(byId('form'), 'qr-code.png', 0)]),
);

box.addEventListener('files', async () => {
  const mine = ++latest;
  const [file] = files();
  problem.hidden = true;
  input.removeAttribute('aria-invalid');
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
  const text = textIn(bitmap);
  bitmap.close();
  if (text === null)
    return showProblem('No QR code was found. Crop the image to the code, or use a sharper one.');
  result.dataset.state = 'done';
  output.replaceChildren(codeBlock(text, 'the text of the code'), ...linkNote(text));
});

/** Returns the text of the QR code, or null if none is found. */
function textIn(bitmap: ImageBitmap): string | null {
  for (const side of SIDES) {
    const scale = side / Math.max(bitmap.width, bitmap.height);
    if (scale > MAX_SCALE && side !== SIDES.at(-1)) continue;
    const image = scaled(bitmap, scale);
    const text = decoded(image) ?? decoded(inverted(image));
    if (text !== null) return text;
  }
  return null;
}

function decoded(image: ImageData): string | null {
  try {
    return decode(image);
  } catch {
    return null;
  }
}

function inverted(image: ImageData): ImageData {
  // Every fourth byte is the opacity, which stays unchanged.
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

/** Returns a note with the host of the link in a code. */
function linkNote(text: string): HTMLElement[] {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const host = make('strong', { textContent: url.host });
  const link = make('a', { href: url.href, rel: 'noreferrer', textContent: 'open it' });
  return [
    make('p', { className: 'small soft' }, 'Opens ', host, '. If you trust this host, ', link, '.'),
  ];
}

function showProblem(message: string): void {
  problem.textContent = message;
  problem.hidden = false;
  input.ariaInvalid = 'true';
  // Focusing the field makes screen readers read out the message.
  input.focus();
}
