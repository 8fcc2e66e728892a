/** Shows the chosen files as rows with thumbnails, and with buttons that move and remove the files. */
import { sizeText } from '../../../core/size-text.ts';
import { make } from './elements.ts';
import { pdfPreviews } from './pdf-previews.ts';

/** Larger files do not get a thumbnail. */
const MAX_THUMBNAIL_BYTES = 20 * 2 ** 20;
/** PDFs after this many files get no thumbnail, because a thumbnail requires opening the PDF. */
const MAX_COVERS = 50;
/** The MIME type of a dragged row's data, which is the row's index. */
const INDEX_TYPE = 'text/x-index';

type Direction = 'up' | 'down';
type Move = (from: number, to: number) => void;

interface RowSettings {
  /** Whether visitors can reorder the files. */
  isOrdered: boolean;
  /** Whether visitors can arrange the pages of each file. */
  hasPages: boolean;
  move: Move;
  remove: (index: number) => void;
}

interface FileRows {
  show(files: readonly File[]): void;
  /** Focuses a button of the row, preferably the one that moves its file in `direction`. */
  focus(index: number, direction?: Direction): void;
}

export function fileRows(
  list: HTMLElement,
  { isOrdered, hasPages, move, remove }: RowSettings,
): FileRows {
  const { coverOf, pagesOf } = pdfPreviews(list);

  function show(files: readonly File[]): void {
    for (const image of list.querySelectorAll('img')) URL.revokeObjectURL(image.src);
    list.replaceChildren(...files.map(row));
  }

  function row(file: File, index: number, files: readonly File[]): HTMLElement {
    const item = make('li');
    const size = make('span', { className: 'hint' }, sizeText(file.size));
    const isSmall = file.size < MAX_THUMBNAIL_BYTES;
    if (isSmall && file.type.startsWith('image/')) item.append(thumbnail(file));
    if (isSmall && file.type === 'application/pdf' && index < MAX_COVERS) {
      const { image, total } = coverOf(file);
      item.append(image);
      size.append(total);
    }
    item.append(make('span', { className: 'name' }, file.name, size));
    if (isOrdered) {
      item.append(...moveButtons(file, index, files.length, move));
      makeDraggable(item, list, index, move);
    }
    item.append(button('✕', `Remove ${file.name}`, () => remove(index)));
    if (hasPages) item.append(pagesOf(file));
    return item;
  }

  function focus(index: number, direction?: Direction): void {
    const row = list.children[index];
    const button =
      row?.querySelector<HTMLElement>(`[data-move="${direction}"]:not(:disabled)`) ??
      row?.querySelector<HTMLElement>('button:not(:disabled)');
    button?.focus();
  }

  return { show, focus };
}

function thumbnail(file: File): HTMLElement {
  const image = make('img', { src: URL.createObjectURL(file), alt: '' });
  image.onerror = () => image.remove();
  return image;
}

function button(glyph: string, label: string, act: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button', textContent: glyph, ariaLabel: label });
  made.addEventListener('click', act);
  return made;
}

/** @param count the number of files */
function moveButtons(file: File, index: number, count: number, move: Move): HTMLElement[] {
  const up = button('↑', `Move ${file.name} up`, () => move(index, index - 1));
  const down = button('↓', `Move ${file.name} down`, () => move(index, index + 1));
  up.disabled = index === 0;
  down.disabled = index === count - 1;
  up.dataset.move = 'up';
  down.dataset.move = 'down';
  return [up, down];
}

/** Lets visitors drag the row onto another row of `list`, and drop other rows on it. */
function makeDraggable(item: HTMLElement, list: HTMLElement, index: number, move: Move): void {
  item.draggable = true;
  item.addEventListener('dragstart', ({ dataTransfer }) => {
    dataTransfer!.setData(INDEX_TYPE, String(index));
    dataTransfer!.effectAllowed = 'move';
    item.classList.add('dragged');
  });
  item.addEventListener('dragend', () => {
    for (const row of list.children) row.classList.remove('dragged', 'target');
  });
  item.addEventListener('dragover', (event) => {
    if (!event.dataTransfer!.types.includes(INDEX_TYPE)) return;
    event.preventDefault();
    item.classList.add('target');
  });
  item.addEventListener('dragleave', () => item.classList.remove('target'));
  item.addEventListener('drop', (event) => {
    const from = event.dataTransfer!.getData(INDEX_TYPE);
    if (from === '') return;
    event.preventDefault();
    move(Number(from), index);
  });
}
