/**
 * Lists the files of a form with thumbnails. Visitors drop, paste or choose files, and reorder them by dragging or with
 * buttons.
 */
import { findRefused, sortOut, totalProblem } from './chosen-files.ts';
import { find } from './elements.ts';
import { setError } from './field-errors.ts';
import { fileRows } from './file-rows.ts';
import { onFilesGiven } from './given-files.ts';

export interface FileList {
  /** Returns the chosen files, in order. */
  files(): File[];
  /** Returns the first file. Returns undefined if no file is chosen or the total size of the files is too large. */
  firstAccepted(): File | undefined;
  add(more: File[]): void;
  replace(others: File[]): void;
  /** Replaces one file and leaves its row as it is. */
  substitute(file: File, other: File): void;
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
  const status = find(box, '[data-status]');
  const rows = fileRows(find(box, '.files'), {
    isOrdered: input.multiple,
    hasPages: 'pages' in box.dataset,
    move,
    remove,
  });
  // A tool for one file runs once per file, so the visitor may choose several files.
  if (box.dataset.batch) {
    input.multiple = true;
    box.dataset.max = box.dataset.batch;
  }
  const { multiple } = input;
  const max = Number(box.dataset.max);
  let files: File[] = [];

  input.addEventListener('change', take);
  // Reads the files that were chosen before this script ran, but only after the page has added its listeners.
  queueMicrotask(take);
  onFilesGiven(find(box, '.drop'), add, signal);

  function take(): void {
    if (input.files!.length > 0) add([...input.files!]);
    // Without this reset, choosing the same file again would not fire an event.
    input.value = '';
  }

  function add(more: File[]): void {
    const { accepted, message } = sortOut(more, box.dataset);
    const isFinished = box.dataset.batch && files.length === 1 && isDone?.();
    const isAdded = (multiple && !isFinished) || accepted.length === 0;
    const all = isAdded ? [...files, ...accepted] : accepted;
    files = all.slice(0, max);
    rows.show(files);
    const added = max === 1 ? 'file was' : `${max} files were`;
    const limitNote = all.length > max ? `Only the first ${added} added.` : message;
    if (more.length > 0) announce(limitNote);
    void removeRefused(accepted, limitNote);
  }

  /** Removes the added files whose content the service would refuse. */
  async function removeRefused(added: readonly File[], limitNote: string): Promise<void> {
    const { refused, message } = await findRefused(added, box.dataset);
    const remaining = files.filter((file) => !refused.includes(file));
    if (remaining.length === files.length) return;
    files = remaining;
    rows.show(files);
    announce([limitNote, message].filter(Boolean).join(' '));
  }

  /** @param message a note for the visitor about the last choice of files */
  function announce(message = ''): void {
    box.dataset.refused = message;
    setError(box, totalProblem(files, box.dataset) ?? message);
    box.dispatchEvent(new CustomEvent('files', { bubbles: true }));
  }

  function move(from: number, to: number): void {
    if (to < 0 || to >= files.length || from === to) return;
    const [file] = files.splice(from, 1) as [File];
    files.splice(to, 0, file);
    announce();
    rows.show(files);
    rows.focus(to, to < from ? 'up' : 'down');
    status.textContent = `${file.name} is now number ${to + 1} of ${files.length}.`;
  }

  function remove(index: number): void {
    const [file] = files.splice(index, 1) as [File];
    announce();
    rows.show(files);
    rows.focus(Math.min(index, files.length - 1));
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
