/** decode_qr_code in the browser: the picture is looked at in several sizes, as it is and with its colours turned. */
import { fileList } from './file-list.js';
import decode from './qr-decode.js';
import { codeBlock } from './site.js';

const SIDES = [1000, 600, 1600, 2400, 350];
const LARGEST = 4;

const box = document.querySelector('[data-files]');
const files = fileList(box);
const result = document.getElementById('result');
const output = document.getElementById('output');
const picture = document.getElementById('picture');
const input = box.querySelector('input');
const problem = document.getElementById('files-error');

let latest = 0;

box.addEventListener('files', async () => {
  const mine = ++latest;
  const [file] = files();
  problem.hidden = true;
  input.removeAttribute('aria-invalid');
  delete result.dataset.state;
  output.replaceChildren();
  picture.hidden = true;
  if (!file) return;
  const bitmap = await createImageBitmap(file).catch(() => null);
  const image = bitmap && (await shown(file));
  // Another may have been chosen meanwhile, or this one taken out.
  if (mine !== latest) return bitmap?.close();
  if (!bitmap) return say(`${file.name} is no picture that this browser can show.`);
  picture.replaceChildren(image);
  picture.hidden = false;
  const text = read(bitmap);
  bitmap.close();
  if (text === null) {
    return say('No QR code was found. Crop the picture to the code, or take a sharper one.');
  }
  result.dataset.state = 'done';
  output.replaceChildren(...described(text));
});

function read(bitmap) {
  for (const side of SIDES) {
    const scale = side / Math.max(bitmap.width, bitmap.height);
    // Larger than some times its own size shows no more.
    if (scale > LARGEST && side !== SIDES.at(-1)) continue;
    const image = scaled(bitmap, scale);
    for (const turned of [false, true]) {
      if (turned)
        for (let at = 0; at < image.data.length; at++)
          if (at % 4 !== 3) image.data[at] = 255 - image.data[at];
      try {
        return decode(image);
      } catch {}
    }
  }
  return null;
}

/** The picture on white, with a margin, which a code that was cropped too closely lacks. */
function scaled(bitmap, scale) {
  const [width, height] = [bitmap.width, bitmap.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const margin = Math.round(Math.max(width, height) * 0.06);
  const canvas = new OffscreenCanvas(width + 2 * margin, height + 2 * margin);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, margin, margin, width, height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function shown(file) {
  const image = document.createElement('img');
  image.src = URL.createObjectURL(file);
  image.alt = 'The chosen picture';
  await image.decode().catch(() => {});
  URL.revokeObjectURL(image.src);
  return image;
}

function described(text) {
  const block = codeBlock(text, 'the text of the code');
  const url = URL.parse?.(text);
  if (!url || !/^https?:$/.test(url.protocol)) return [block];
  const note = document.createElement('p');
  note.className = 'small soft';
  note.append('It leads to ');
  const strong = document.createElement('strong');
  strong.textContent = url.host;
  const link = document.createElement('a');
  link.href = url.href;
  link.rel = 'noreferrer';
  link.textContent = 'open it';
  note.append(strong, '. If you trust that: ', link, '.');
  return [block, note];
}

function say(message) {
  problem.textContent = message;
  problem.hidden = false;
  input.setAttribute('aria-invalid', 'true');
  // Its description is read then.
  input.focus();
}
