/** A file as a result: an image beside its original, the pages of a PDF, the content of a ZIP, with sizes and a link. */
import { sizeText } from '../../tool/size-text.ts';
import { make } from './elements.ts';
import { firstPage, pdfPages } from './pdf-pages.ts';
import { zipEntries } from './zip-entries.ts';

const MAX_ENTRIES = 100;

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** The object URLs of the shown files. */
let urls: string[] = [];

function urlOf(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  urls.push(url);
  return url;
}

/** Frees the memory of the files that were shown. */
export function forgetFiles(): void {
  for (const url of urls) URL.revokeObjectURL(url);
  urls = [];
}

/** The elements that show `blob`. `before` is the file that it was made from, if it was one. */
export async function fileResult(
  blob: Blob,
  name: string,
  before: File | undefined,
  headers: Headers,
): Promise<Node[]> {
  const url = urlOf(blob);
  const kind = blob.type.split(';')[0]!;
  return [
    ...(await preview(blob, kind, url, name, before)),
    sizes(blob, headers),
    actions(url, name, kind),
  ];
}

async function preview(
  blob: Blob,
  kind: string,
  url: string,
  name: string,
  before: File | undefined,
): Promise<Node[]> {
  if (kind.startsWith('image/')) return imageParts(url, name, before);
  if (kind === 'application/pdf') return [pdfPages(blob)];
  if (kind === 'application/zip') return [await content(blob)];
  return [];
}

function sizes(blob: Blob, headers: Headers): HTMLElement {
  const line = make('p', { className: 'sizes' });
  const was = Number(headers.get('X-Input-Bytes'));
  if (was) line.append(make('span', { className: 'soft', textContent: `${sizeText(was)} →` }));
  line.append(make('strong', { textContent: sizeText(blob.size) }));
  if (was && was !== blob.size) {
    const change = Math.round((blob.size / was - 1) * 100);
    line.append(
      make('span', {
        className: change < 0 ? 'chip good' : 'chip',
        textContent: change < 0 ? `${-change} % smaller` : `${change} % larger`,
      }),
    );
  }
  return line;
}

function actions(url: string, name: string, kind: string): HTMLElement {
  const save = { className: 'button main', href: url, download: name, textContent: `Save ${name}` };
  const open = { className: 'button quiet', href: url, target: '_blank', textContent: 'Open' };
  const row = make('div', { className: 'actions' }, make('a', save));
  if (/^(image\/|application\/pdf)/.test(kind)) row.append(make('a', open));
  return row;
}

async function imageParts(url: string, name: string, before: File | undefined): Promise<Node[]> {
  const after = make('img', { src: url, alt: `The result, ${name}` });
  const box = make('div', { className: 'image' });
  try {
    await after.decode();
  } catch {
    const textContent = 'This browser cannot show this format.';
    box.append(make('p', { className: 'soft', textContent }));
    return [box];
  }
  const size = make('p', {
    className: 'soft small',
    textContent: `${after.naturalWidth} × ${after.naturalHeight} pixels`,
  });
  const original = before?.type.startsWith('image/') ? await decoded(before) : null;
  if (!original || !isSameShape(original, after)) {
    box.append(after);
    return [box, size];
  }
  original.className = 'before';
  const compare = make('div', { className: 'compare' }, after, original);
  box.append(compare);
  const slider = make('input', {
    type: 'range',
    min: '0',
    max: '100',
    value: '50',
    ariaLabel: 'How much of the original to show',
  });
  slider.addEventListener('input', () => compare.style.setProperty('--split', `${slider.value}%`));
  const row = make('div', { className: 'range small soft' }, 'Before', slider, 'After');
  return [box, row, size];
}

const isSameShape = (one: HTMLImageElement, other: HTMLImageElement): boolean =>
  Math.abs(one.naturalWidth / one.naturalHeight - other.naturalWidth / other.naturalHeight) < 0.01;

async function decoded(file: File): Promise<HTMLImageElement | null> {
  const image = make('img', { src: urlOf(file), alt: 'The original' });
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  }
}

/** The entries of a ZIP file with their previews. */
async function content(blob: Blob): Promise<HTMLElement> {
  const list = make('ul', { className: 'panels' });
  for (const { name, read } of (await zipEntries(blob)).slice(0, MAX_ENTRIES)) {
    const type = TYPES[name.split('.').pop()!.toLowerCase()] ?? 'application/octet-stream';
    const file = new Blob([await read()], { type });
    const url = urlOf(file);
    const item = make('li');
    if (type.startsWith('image/')) item.append(make('img', { src: url, alt: name }));
    if (type === 'application/pdf') item.append(firstPage(file, name));
    item.append(
      make('a', { href: url, download: name, textContent: name }),
      make('span', { className: 'soft', textContent: sizeText(file.size) }),
    );
    list.append(item);
  }
  return list;
}
