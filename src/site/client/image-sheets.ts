/**
 * Shows each image of images_to_pdf on a small sheet, as it will appear on its page, with a button that rotates it. The
 * page loads this script when files are chosen.
 */
import { type PageLayout, placed } from '../../lib/page-layout.ts';
import { find, make } from './parts/elements.ts';
import { setError } from './parts/field-errors.ts';
import type { FileList } from './parts/file-list.ts';
import { rotatedImage } from './parts/rotated-image.ts';

/** Other images may have several pages, which browsers do not decode. */
const ROTATABLE = ['jpeg', 'png', 'webp', 'avif', 'heic'].map((kind) => `image/${kind}`);

/** How a file of the list was made from the file that the visitor chose. */
interface Origin {
  original: File;
  /** The clockwise rotation: 90, 180 or 270. */
  degrees: number;
}

const origins = new WeakMap<File, Origin>();
const originOf = (file: File): Origin => origins.get(file) ?? { original: file, degrees: 0 };
let observer: MutationObserver | undefined;

/** Shows the sheets of the files in the list, now and whenever the list or the form changes. */
export function showSheets(form: HTMLFormElement, box: HTMLElement, list: FileList): void {
  if (observer) return;
  const rows = find(box, '.files');

  const orientation = find<HTMLSelectElement>(form, '[name="orientation"]');

  const drawAll = () => {
    const layout = layoutOf(form);
    orientation.disabled = layout.pageSize === 'fit';
    for (const [index, row] of [...rows.children].entries()) {
      const image = row.querySelector<HTMLImageElement>('.paper img');
      const file = list.files()[index];
      if (image?.naturalWidth && file) drawOnPage(image, originOf(file).degrees, layout);
    }
  };

  const addSheets = () => {
    for (const [index, row] of [...rows.children].entries()) {
      const image = row.querySelector<HTMLImageElement>(':scope > img');
      const file = list.files()[index];
      if (image && file) addSheet(row, image, file);
    }
    drawAll();
  };

  function addSheet(row: Element, image: HTMLImageElement, file: File): void {
    const { original, degrees } = originOf(file);
    if (degrees > 0) {
      // The style rotates the image, because not all browsers apply the orientation that a PNG declares.
      URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(original);
    }
    const sheet = make('span', { className: 'paper' });
    image.replaceWith(sheet);
    sheet.append(image);
    const buttons = ROTATABLE.includes(file.type) ? [rotateButton(file)] : [];
    find(row, '.name').after(...buttons);
    image.addEventListener('load', drawAll);
    image.addEventListener('error', () => {
      for (const shown of [sheet, ...buttons]) shown.remove();
    });
  }

  function rotateButton(given: File): HTMLButtonElement {
    let file = given;
    const ariaLabel = `Rotate ${file.name} right`;
    const button = make('button', { type: 'button', textContent: '↻', ariaLabel });
    button.addEventListener('click', async () => {
      const { original } = originOf(file);
      const degrees = (originOf(file).degrees + 90) % 360;
      const rotated =
        degrees === 0 ? original : await rotatedImage(original, degrees).catch(noFile);
      if (!rotated) return setError(box, `This browser cannot rotate ${original.name}.`);
      if (degrees > 0) origins.set(rotated, { original, degrees });
      list.substitute(file, rotated);
      file = rotated;
      drawAll();
      find(box, '[data-status]').textContent = `${original.name} is rotated by ${degrees} degrees.`;
    });
    return button;
  }

  observer = new MutationObserver(addSheets);
  observer.observe(rows, { childList: true });
  form.addEventListener('input', drawAll);
  addSheets();
}

const noFile = () => undefined;

function layoutOf(form: HTMLFormElement): PageLayout {
  const values = new FormData(form);
  return {
    pageSize: values.get('pageSize') as PageLayout['pageSize'],
    isLandscapeAllowed: values.get('orientation') === 'auto',
    margin: Number(values.get('margin')),
  };
}

/** Gives the sheet the proportions of the page, and places the image on it. */
function drawOnPage(image: HTMLImageElement, degrees: number, layout: PageLayout): void {
  const { naturalWidth, naturalHeight, style } = image;
  const isSideways = degrees % 180 !== 0;
  const size = [naturalWidth, naturalHeight] as const;
  const [columns, rows] = isSideways ? size.toReversed() : size;
  const { pageWidth, pageHeight, width, height } = placed(columns!, rows!, layout);
  // The style rotates the image after it is scaled, so the lengths of a sideways image are exchanged.
  style.width = `${(100 * (isSideways ? height : width)) / pageWidth}%`;
  style.height = `${(100 * (isSideways ? width : height)) / pageHeight}%`;
  style.rotate = `${degrees}deg`;
  image.parentElement!.style.setProperty('--ratio', String(pageWidth / pageHeight));
}
