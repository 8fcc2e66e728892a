/**
 * Shows a resulting file with its actions and size. An image is shown beside its original, a PDF with its pages, and a
 * ZIP with its content.
 */

import { sizeText } from '../../../core/size-text.ts';
import type { NextTool } from '../../tool/next-tool.ts';
import { compareImages, isSameShape } from './compare-images.ts';
import { pagesButton } from './compare-original.ts';
import { make } from './elements.ts';
import { fileActions } from './file-actions.ts';
import { firstPage, pdfPages } from './pdf-pages.ts';
import { forgetOffers, sendMenu } from './send-file.ts';
import { zipEntries } from './zip-entries.ts';

const MAX_ENTRIES = 100;

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** The results of tools that reduce a file's size, with the size of the input if the service reported it. */
const reduced = new WeakMap<File, number | undefined>();

/** Marks a result, so that its size is shown next to the size of its input. */
export const compareSizes = (file: File, inputBytes?: number): void =>
  void reduced.set(file, inputBytes);

export const isReduced = (file: File): boolean => reduced.has(file);

export const inputBytesOf = (file: File): number | undefined => reduced.get(file);

/** The object URLs of the shown files. */
let urls: string[] = [];

export function urlOf(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  urls.push(url);
  return url;
}

/** Frees the memory used by the files that are no longer shown. */
export function forgetFiles(): void {
  for (const url of urls) URL.revokeObjectURL(url);
  urls = [];
  forgetOffers();
}

/** Returns the elements that show `file`. `before` is the single input file, if there is one. */
export async function fileResult(
  file: File,
  before: File | undefined,
  nextTools: readonly NextTool[],
  isShareable: boolean,
): Promise<Node[]> {
  const url = urlOf(file);
  const line = sizes(file, before);
  const [actions, ...shared] = fileActions(file, url, nextTools, isShareable);
  const compare = before && isReduced(file) && pagesButton(before, file);
  if (compare) actions.children[1]!.after(compare);
  return [
    actions,
    ...shared,
    line,
    ...(await preview(file, url, before, nextTools, (fact) => line.append(fact))),
  ];
}

async function preview(
  file: File,
  url: string,
  before: File | undefined,
  nextTools: readonly NextTool[],
  showMore: (fact: Node) => void,
): Promise<Node[]> {
  const { type } = file;
  if (type.startsWith('image/')) return imageParts(file, url, before, showMore);
  if (type.startsWith('video/')) {
    const video = make('video', { src: url, controls: true });
    return [make('div', { className: 'image' }, video)];
  }
  if (type === 'application/pdf') {
    return [pdfPages(file, (total) => showMore(soft(total === 1 ? '1 page' : `${total} pages`)))];
  }
  if (type === 'application/zip') return content(file, nextTools);
  return [];
}

export const soft = (textContent: string) => make('span', { className: 'soft', textContent });

/** Returns `2.4 MB → 310 KB, 87 % smaller` if the tool reduces the size, otherwise only the size. */
function sizes(file: File, before: File | undefined): HTMLElement {
  const bytes = isReduced(file) ? (before?.size ?? inputBytesOf(file)) : undefined;
  const parts =
    bytes === undefined
      ? [make('strong', { textContent: sizeText(file.size) })]
      : changeParts(bytes, file.size);
  return make('p', { className: 'sizes cluster' }, ...parts);
}

/**
 * Returns the sizes before and after, and the change.
 *
 * @param qualifier precedes the size after, if it is not exact
 */
export function changeParts(
  before: number,
  after: number,
  qualifier: '' | 'about ' | 'under ' = '',
): Node[] {
  const change = changeText(before, after);
  const className = change.endsWith('smaller') ? 'chip good' : 'chip';
  const isShown = before !== after && (qualifier !== 'under ' || change.endsWith('smaller'));
  const atLeast = qualifier === 'under ' ? 'at least ' : '';
  return [
    soft(`${sizeText(before)} →`),
    make('strong', { textContent: `${qualifier}${sizeText(after)}` }),
    ...(isShown ? [make('span', { className, textContent: atLeast + change })] : []),
  ];
}

export function changeText(before: number, after: number): string {
  const change = (after / before - 1) * 100;
  if (Math.abs(change) < 0.5) return 'about the same size';
  // 99.7 % must not be rounded to 100 %.
  if (change < -99) return `${Math.min(99.9, -change).toFixed(1)} % smaller`;
  return change < 0 ? `${Math.round(-change)} % smaller` : `${Math.round(change)} % larger`;
}

async function imageParts(
  file: File,
  url: string,
  before: File | undefined,
  showMore: (fact: Node) => void,
): Promise<Node[]> {
  const after = make('img', { src: url, alt: `The result, ${file.name}` });
  try {
    await after.decode();
  } catch {
    const textContent = 'This browser cannot show this format.';
    return [make('div', { className: 'image' }, make('p', { className: 'soft', textContent }))];
  }
  const pixels = ({ naturalWidth, naturalHeight }: HTMLImageElement) =>
    `${naturalWidth} × ${naturalHeight}`;
  const original = before?.type.startsWith('image/') ? await decoded(before) : null;
  const from = original && pixels(original) !== pixels(after) ? `${pixels(original)} → ` : '';
  showMore(soft(`${from}${pixels(after)} pixels`));
  if (original && isSameShape(original, after)) return compareImages(original, after);
  return [make('div', { className: 'image' }, after)];
}

async function decoded(file: File): Promise<HTMLImageElement | null> {
  const image = make('img', { src: urlOf(file), alt: 'The original' });
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  }
}

/** Returns `Pages 1-3, 5` for `pages-1-3_5.pdf`, a file name in the format that split_pdf uses. */
function rangeIn(name: string): string | undefined {
  const range = /^pages-(\d[\d_-]*)(?: \(\d+\))?\.pdf$/.exec(name)?.[1];
  return range && `${/^\d+$/.test(range) ? 'Page' : 'Pages'} ${range.replaceAll('_', ', ')}`;
}

/** Lists the first entries of a ZIP file with their previews, below a menu that sends them to another tool. */
async function content(zip: File, nextTools: readonly NextTool[]): Promise<Node[]> {
  const files: File[] = [];
  const list = make('ul', { className: 'panels' });
  // Outside the ZIP, the name of a part of `report.pdf` needs the name of its source.
  const [, source] = /^(.+-)split\.zip$/.exec(zip.name) ?? [];
  for (const { name: inZip, read } of (await zipEntries(zip)).slice(0, MAX_ENTRIES)) {
    const range = rangeIn(inZip);
    const name = range && source ? source + inZip : inZip;
    const type = TYPES[name.split('.').pop()!.toLowerCase()] ?? 'application/octet-stream';
    const file = new File([await read()], name, { type });
    files.push(file);
    const url = urlOf(file);
    const item = make('li');
    if (type.startsWith('image/')) item.append(make('img', { src: url, alt: name }));
    if (type === 'application/pdf') item.append(firstPage(file, name));
    if (range) item.append(make('strong', { textContent: range }));
    item.append(
      make('a', { href: url, download: name, textContent: name }),
      make('span', { className: 'soft', textContent: sizeText(file.size) }),
    );
    list.append(item);
  }
  const menu = sendMenu(files, nextTools);
  return menu ? [menu, list] : [list];
}
