/** Receives the files that visitors drop or paste anywhere on the page. */
import { opensText } from './open-text-file.ts';

/**
 * Calls `take` with dropped or pasted files.
 *
 * @param drop the element that is highlighted while files are dragged over the page
 * @param signal removes the listeners from the document when it is aborted
 */
export function onFilesGiven(
  drop: HTMLElement,
  take: (files: File[]) => void,
  signal: AbortSignal | undefined,
): void {
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
    take([...event.dataTransfer.files]);
  });
  onDocument('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    take(pasted);
  });
}
