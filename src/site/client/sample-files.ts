/**
 * Draws sample files in the browser for visitors who try a tool: photos, a page of text, a comic, a QR code, a video
 * and PDFs.
 */
import { drawPng, encodeQr } from '../../tools/generate_qr_code/qr.ts';

const LINES = [
  'Dear reader,',
  '',
  'this page was drawn in your browser, so that you can try',
  'the tool before you choose your own file.',
  '',
  'The invoice over 1,250.00 is due on Monday, 3 March.',
  '',
  'Kind regards',
  'Ada Lovelace',
];
const FRAMES_PER_SECOND = 25;
const VIDEO_MS = 1500;

/** Returns a file whose content depends on the words in its name. A recorded WebM video gets the extension .webm. */
export async function sampleFile(name: string, index: number): Promise<File> {
  const blob = await contentOf(name, index);
  const extension = blob.type.startsWith('video/webm') ? '.webm' : undefined;
  const given = extension ? name.replace(/\.\w+$/, extension) : name;
  return new File([blob], given, { type: blob.type.split(';')[0]! });
}

async function contentOf(name: string, index: number): Promise<Blob> {
  if (/\.mp4$/.test(name)) return video();
  if (/scan/.test(name)) return pdf([await page(), await page()]);
  if (/\.pdf$/.test(name)) {
    const images = Array.from({ length: 5 }, (_, at) => page(`${name}, page ${at + 1}`));
    return pdf(await Promise.all(images));
  }
  if (/qr/.test(name)) return qrCode();
  if (/sheet/.test(name)) return comic();
  if (/page|letter/.test(name)) return page();
  return photo(index, /\.png$/.test(name) ? 'image/png' : 'image/jpeg');
}

function draw(
  width: number,
  height: number,
  paint: (context: OffscreenCanvasRenderingContext2D) => void,
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  paint(canvas.getContext('2d')!);
  return canvas;
}

/** Draws hills in front of an evening sky. */
function paintLandscape(
  context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D,
  hue: number,
  shift = 0,
): void {
  const { width, height } = context.canvas;
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, `hsl(${hue + 200} 60% 35%)`);
  sky.addColorStop(0.6, `hsl(${hue + 30} 90% 70%)`);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  context.fillStyle = `hsl(${hue + 45} 100% 88%)`;
  context.beginPath();
  context.arc(width * 0.7 - shift, height * 0.42, height * 0.09, 0, 7);
  context.fill();
  for (let hill = 0; hill < 4; hill++) {
    context.fillStyle = `hsl(${hue + 150 + hill * 12} 35% ${44 - hill * 9}%)`;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 8) {
      const wave = Math.sin(x / (90 + hill * 60) + hill * 2 + shift / 40) * (height / 18);
      context.lineTo(x, height * (0.55 + hill * 0.1) + wave + Math.sin(x / 23) * 6);
    }
    context.lineTo(width, height);
    context.fill();
  }
}

function photo(index: number, type: string): Promise<Blob> {
  return draw(1800, 1200, (context) => paintLandscape(context, index * 70)).convertToBlob({
    type,
    quality: 0.95,
  });
}

/** Returns an image of a page of text, A4 at 150 dots per inch. */
function page(title = ''): Promise<Blob> {
  return draw(1240, 1754, (context) => {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 1240, 1754);
    context.fillStyle = '#111';
    context.font = '36px Georgia, serif';
    for (const [row, line] of [title, ...LINES].entries())
      context.fillText(line, 130, 200 + row * 60);
  }).convertToBlob({ type: 'image/jpeg', quality: 0.95 });
}

/** Draws four panels with white gutters. */
function comic(): Promise<Blob> {
  return draw(1200, 1200, (context) => {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 1200, 1200);
    for (let panel = 0; panel < 4; panel++) {
      const image = draw(560, 560, (inner) => paintLandscape(inner, panel * 80));
      context.drawImage(image, 25 + (panel % 2) * 590, 25 + Math.floor(panel / 2) * 590);
    }
  }).convertToBlob({ type: 'image/png' });
}

async function qrCode(): Promise<Blob> {
  const code = encodeQr(new TextEncoder().encode('https://example.com/'));
  const png = await drawPng(code, 400);
  return new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' });
}

async function video(): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 270 });
  const context = canvas.getContext('2d')!;
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_SECOND));
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  let shift = 0;
  const clock = setInterval(
    () => paintLandscape(context, 10, ++shift * 3),
    1000 / FRAMES_PER_SECOND,
  );
  recorder.start();
  setTimeout(() => recorder.stop(), VIDEO_MS);
  await stopped;
  clearInterval(clock);
  return new Blob(pieces, { type: recorder.mimeType });
}

/** Returns a PDF (ISO 32000-1) with one A4 page per image. Each image is a JPEG of 1240 by 1754 pixels. */
async function pdf(images: readonly Blob[]): Promise<Blob> {
  const pieces: BlobPart[] = ['%PDF-1.4\n'];
  const offsets: number[] = [];
  let size = 9;
  const put = (...parts: (string | Blob)[]) => {
    for (const part of parts) {
      pieces.push(part);
      size += typeof part === 'string' ? part.length : part.size;
    }
  };
  const object = (dictionary: string, stream?: string | Blob) => {
    offsets.push(size);
    put(`${offsets.length} 0 obj\n${dictionary}\n`);
    if (stream !== undefined) put('stream\n', stream, '\nendstream\n');
    put('endobj\n');
  };
  const kids = images.map((_, at) => `${3 + at * 3} 0 R`).join(' ');
  object('<</Type/Catalog/Pages 2 0 R>>');
  object(`<</Type/Pages/Count ${images.length}/Kids[${kids}]>>`);
  const content = '595 0 0 842 0 0 cm /I Do';
  for (const [at, image] of images.entries()) {
    const first = 3 + at * 3;
    object(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${first + 1} 0 R/Resources<</XObject<</I ${first + 2} 0 R>>>>>>`,
    );
    object(`<</Length ${content.length}>>`, content);
    object(
      `<</Type/XObject/Subtype/Image/Width 1240/Height 1754/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${image.size}>>`,
      image,
    );
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = offsets.length + 1;
  pieces.push(
    `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${size}\n%%EOF\n`,
  );
  return new Blob(pieces, { type: 'application/pdf' });
}
