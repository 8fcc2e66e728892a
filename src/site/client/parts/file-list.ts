/**
 * Lists the files of a form with thumbnails. Visitors drop, paste or choose files, and reorder them by dragging or with
 * buttons.
 */
import { sizeText } from '../../tool/size-text.ts';
import { arrangeablePages } from './arranged-pages.ts';
import { findRefused, sortOut, totalProblem } from './chosen-files.ts';
import { find, make } from './elements.ts';
import { setError } from './field-errors.ts';
import { NARROW } from './narrow.ts';
import { opensText } from './open-text-file.ts';
import { firstPage } from './pdf-pages.ts';

/** Larger files do not get a thumbnail. */
const MAX_THUMBNAIL_BYTES = 20 * 2 ** 20;
/** Only the first PDFs get a thumbnail, because each is opened for it. */
const MAX_COVERS = 50;
/** The pages of a few short PDFs are shown without a click, except on a phone, where they would fill the screen. */
const MAX_OPEN = { files: 3, pages: 10 };
/** The MIME type of a dragged row's data, which is the row's index. */
const INDEX_TYPE = 'text/x-index';

export interface FileList {
  /** Returns the chosen files, in order. */
  files(): File[];
  /** Returns the first file. Returns undefined if no file is chosen or the service would refuse the files. */
  firstAccepted(): File | undefined;
  add(more: File[]): void;
  replace(others: File[]): void;
  /** Replaces one file and leaves its row as it is. */
  substitute(file: File, other: File): void;
}

/** The parts of a row that show what a PDF contains. */
interface Cover {
  image: HTMLElement;
  pages: HTMLElement;
}

/**
 * Adds the list to the file field `box`, which dispatches the `files` event when its files change.
 *
 * @param options.signal removes the listeners from the document when it is aborted
 * @param options.isDone whether the page shows the result of the chosen files. If so, the next choice replaces a single
 * file of a tool that runs once per file.
 */
export function fileList(
  box: HTMLElement,
  { signal, isDone }: { signal?: AbortSignal; isDone?: () => boolean } = {},
): FileList {
  const input = find<HTMLInputElement>(box, 'input');
  const list = find(box, '.files');
  const status = find(box, '[data-status]');
  const drop = find(box, '.drop');
  const isOrdered = input.multiple;
  // A tool for one file runs once per file, so the visitor may choose several files.
  if (box.dataset.batch) {
    input.multiple = true;
    box.dataset.max = box.dataset.batch;
  }
  const { multiple } = input;
  const max = Number(box.dataset.max);

  let files: File[] = [];
  const folds = new WeakMap<File, HTMLElement>();
  const covers = new WeakMap<File, Cover>();

  function add(more: File[]): void {
    const { accepted, message } = sortOut(more, box.dataset);
    const isFinished = box.dataset.batch && files.length === 1 && isDone?.();
    const isAdded = (multiple && !isFinished) || accepted.length === 0;
    const all = isAdded ? [...files, ...accepted] : accepted;
    files = all.slice(0, max);
    show();
    const taken = max === 1 ? 'file was' : `${max} files were`;
    const told = all.length > max ? `Only the first ${taken} taken.` : message;
    if (more.length > 0) announce(told);
    removeRefused(accepted, told);
  }

  /** Removes the added files whose content the service would refuse. */
  async function removeRefused(added: readonly File[], told: string): Promise<void> {
    const { refused, message } = await findRefused(added, box.dataset);
    const remaining = files.filter((file) => !refused.includes(file));
    if (remaining.length === files.length) return;
    files = remaining;
    show();
    announce([told, message].filter(Boolean).join(' '));
  }

  /** @param message a note for the visitor about the last choice of files */
  function announce(message = ''): void {
    box.dataset.refused = message;
    setError(box, totalProblem(files, box.dataset) ?? message);
    box.dispatchEvent(new CustomEvent('files', { bubbles: true }));
  }

  input.addEventListener('change', take);
  // Reads the files that were chosen before this script ran, but only after the page has added its listeners.
  queueMicrotask(take);

  function take(): void {
    if (input.files!.length > 0) add([...input.files!]);
    // Without this reset, choosing the same file again would not fire an event.
    input.value = '';
  }

  const onDocument: typeof document.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
  ) => document.addEventListener(type, listener, { signal });

  for (const name of ['dragenter', 'dragover'] as const) {
    onDocument(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      drop.classList.add('over');
    });
  }
  onDocument('dragleave', (event) => {
    if (!event.relatedTarget) drop.classList.remove('over');
  });
  onDocument('drop', (event) => {
    drop.classList.remove('over');
    if (!event.dataTransfer?.files.length || opensText(event.target)) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  });
  onDocument('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted);
  });

  function show(focused?: number, direction?: 'up' | 'down'): void {
    for (const image of list.querySelectorAll('img')) URL.revokeObjectURL(image.src);
    list.replaceChildren(...files.map(row));
    const focusedRow = focused === undefined ? undefined : list.children[focused];
    const button =
      focusedRow?.querySelector<HTMLElement>(`[data-move="${direction}"]:not(:disabled)`) ??
      focusedRow?.querySelector<HTMLElement>('button:not(:disabled)');
    button?.focus();
  }

  function row(file: File, index: number): HTMLElement {
    const item = make('li');
    if (file.type.startsWith('image/') && file.size < MAX_THUMBNAIL_BYTES) {
      const image = make('img', { src: URL.createObjectURL(file), alt: '' });
      image.onerror = () => image.remove();
      item.append(image);
    }
    const size = make('span', { className: 'hint' }, sizeText(file.size));
    const isSmallPdf = file.type === 'application/pdf' && file.size < MAX_THUMBNAIL_BYTES;
    if (isSmallPdf && index < MAX_COVERS) {
      const { image, pages } = coverOf(file);
      item.append(image);
      size.append(pages);
    }
    item.append(make('span', { className: 'name' }, file.name, size));
    if (isOrdered) makeSortable(item, file, index);
    item.append(button('✕', `Remove ${file.name}`, () => remove(index)));
    if ('pages' in box.dataset) item.append(pagesOf(file));
    return item;
  }

  /** Returns the first page and the number of pages of a PDF. They are reused when the rows are rebuilt. */
  function coverOf(file: File): Cover {
    const pages = make('span');
    const showTotal = (total: number) => {
      pages.textContent = total === 1 ? ', 1 page' : `, ${total} pages`;
      const isShort = files.length <= MAX_OPEN.files && total <= MAX_OPEN.pages;
      if (isShort && !NARROW.matches) folds.get(file)?.setAttribute('open', '');
    };
    const cover = covers.get(file) ?? {
      image: firstPage(file, `First page of ${file.name}`, showTotal),
      pages,
    };
    covers.set(file, cover);
    return cover;
  }

  /**
   * Returns the section with a file's pages. It is reused when the rows are rebuilt in a new order, so that an open
   * section stays open.
   */
  function pagesOf(file: File): HTMLElement {
    const fold = folds.get(file) ?? arrangeablePages(file);
    folds.set(file, fold);
    return fold;
  }

  function makeSortable(item: HTMLElement, file: File, index: number): void {
    const up = button('↑', `Move ${file.name} up`, () => move(index, index - 1));
    const down = button('↓', `Move ${file.name} down`, () => move(index, index + 1));
    up.disabled = index === 0;
    down.disabled = index === files.length - 1;
    up.dataset.move = 'up';
    down.dataset.move = 'down';
    item.append(up, down);
    item.draggable = true;
    item.addEventListener('dragstart', ({ dataTransfer }) => {
      dataTransfer!.setData(INDEX_TYPE, String(index));
      dataTransfer!.effectAllowed = 'move';
      item.classList.add('dragged');
    });
    item.addEventListener('dragend', () => show());
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

  function button(glyph: string, label: string, act: () => void): HTMLButtonElement {
    const made = make('button', { type: 'button', textContent: glyph, ariaLabel: label });
    made.addEventListener('click', act);
    return made;
  }

  function move(from: number, to: number): void {
    if (to < 0 || to >= files.length || from === to) return;
    const [file] = files.splice(from, 1) as [File];
    files.splice(to, 0, file);
    announce();
    show(to, to < from ? 'up' : 'down');
    status.textContent = `${file.name} is now number ${to + 1} of ${files.length}.`;
  }

  function remove(index: number): void {
    const [file] = files.splice(index, 1) as [File];
    announce();
    show(Math.min(index, files.length - 1));
    if (files.length === 0) input.focus();
    status.textContent = `${file.name} was removed.`;
  }

  function replace(others: File[]): void {
    files = [];
    add(others);
  }

  function substitute(file: File, other: File): void {
    files = files.map((one) => (one === file ? other : one));
    announce();
  }

  const firstAccepted = () => (totalProblem(files, box.dataset) ? undefined : files[0]);

  return { files: () => files, firstAccepted, add, replace, substitute };
}
