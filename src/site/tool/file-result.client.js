/** A file as a result: pictures before and after, pages of a PDF, what a ZIP holds; with sizes, and saved by name. */
import { sizeText } from './both-sides.js';
import { firstPage, pdfPages } from './pdf-pages.js';
import { zipEntries } from './zip-entries.js';

/** The addresses of what is shown. */
let urls = [];

function urlOf(blob) {
  const url = URL.createObjectURL(blob);
  urls.push(url);
  return url;
}

/** What was shown is shown no more. */
export function forgetFiles() {
  for (const url of urls) URL.revokeObjectURL(url);
  urls = [];
}

/** The elements that show `blob`; `before` is the picture it was made of, if it was made of one. */
export async function fileResult(blob, name, before, headers) {
  const url = urlOf(blob);
  const parts = [];
  const kind = blob.type.split(';')[0];
  if (kind.startsWith('image/')) parts.push(...(await picture(url, name, before)));
  else if (kind === 'application/pdf') parts.push(pdfPages(blob));
  else if (kind === 'application/zip') parts.push(await contents(blob));
  parts.push(sizes(blob, headers), actions(url, name, kind));
  return parts;
}

function sizes(blob, headers) {
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

function actions(url, name, kind) {
  const row = make('div', { className: 'actions' });
  row.append(
    make('a', { className: 'button main', href: url, download: name, textContent: `Save ${name}` }),
  );
  if (/^(image\/|application\/pdf)/.test(kind)) {
    row.append(
      make('a', { className: 'button quiet', href: url, target: '_blank', textContent: 'Open' }),
    );
  }
  return row;
}

async function picture(url, name, before) {
  const after = make('img', { src: url, alt: `The result, ${name}` });
  const box = make('div', { className: 'picture' });
  try {
    await after.decode();
  } catch {
    box.append(
      make('p', { className: 'soft', textContent: 'This browser does not show this format.' }),
    );
    return [box];
  }
  const size = make('p', {
    className: 'soft small',
    textContent: `${after.naturalWidth} × ${after.naturalHeight} pixels`,
  });
  const original = before?.type.startsWith('image/') ? await opened(before) : null;
  const isSameShape =
    original &&
    Math.abs(
      original.naturalWidth / original.naturalHeight - after.naturalWidth / after.naturalHeight,
    ) < 0.01;
  if (!isSameShape) {
    box.append(after);
    return [box, size];
  }
  original.className = 'before';
  const compare = make('div', { className: 'compare' });
  compare.append(after, original);
  box.append(compare);
  const slider = make('input', { type: 'range', min: 0, max: 100, value: 50 });
  slider.setAttribute('aria-label', 'Share of the picture that shows the original');
  slider.addEventListener('input', () => compare.style.setProperty('--split', `${slider.value}%`));
  const row = make('div', { className: 'range small soft' });
  row.append('Before', slider, 'After');
  return [box, row, size];
}

async function opened(file) {
  const image = make('img', { src: urlOf(file), alt: 'The original' });
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  }
}

async function contents(blob) {
  const list = make('ul', { className: 'panels' });
  for (const entry of (await zipEntries(blob)).slice(0, 100)) {
    const type = {
      png: 'image/png',
      jpg: 'image/jpeg',
      jpeg: 'image/jpeg',
      webp: 'image/webp',
      pdf: 'application/pdf',
    }[entry.name.split('.').pop().toLowerCase()];
    const item = make('li');
    const file = new Blob([await entry.read()], { type: type ?? 'application/octet-stream' });
    const url = urlOf(file);
    if (type?.startsWith('image/')) item.append(make('img', { src: url, alt: entry.name }));
    if (type === 'application/pdf') item.append(firstPage(file, entry.name));
    const link = make('a', { href: url, download: entry.name, textContent: entry.name });
    item.append(link, make('span', { className: 'soft', textContent: sizeText(file.size) }));
    list.append(item);
  }
  return list;
}

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
