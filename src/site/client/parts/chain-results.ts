/** Shows the files of a chain's results, and deletes them from the service. */
import type { Taker } from '../../tool/taker.ts';
import { deleteFile } from './api.ts';
import { make } from './elements.ts';
import { compareSizes, fileResult, forgetFiles, urlOf } from './file-result.ts';
import { firstPage } from './pdf-pages.ts';

interface StoredResult {
  url: string;
  filename: string;
  contentType: string;
  deleteToken: string;
  inputBytes?: number;
  /** The facts of a large image. */
  metadata?: { inputBytes: number };
}

/**
 * Reads the resulting files of `page` and deletes them from the service, except those whose link a later step uses. A
 * file that cannot be read remains a link. `input` is the file of the first step, if there is exactly one.
 */
export async function takeFiles(page: Document, input: File | undefined): Promise<void> {
  forgetFiles();
  let before = input;
  const deletions: Promise<unknown>[] = [];
  for (const box of page.querySelectorAll<HTMLElement>('[data-file]')) {
    const stored: StoredResult = JSON.parse(box.dataset.file!);
    const response = await fetch(stored.url).catch(() => null);
    if (!response?.ok) continue;
    const file = new File([await response.blob()], stored.filename, { type: stored.contentType });
    deletions.push(deleteFile(stored));
    // The sizes are compared only if the previous file is the step's only input.
    const isCompared = before?.size === (stored.inputBytes ?? stored.metadata?.inputBytes);
    if (isCompared) compareSizes(file);
    const takers: Taker[] = JSON.parse(box.dataset.takers!);
    box.replaceChildren(...(await fileResult(file, isCompared ? before : undefined, takers, true)));
    previewIn(page, box.dataset.result!)?.replaceChildren(previewOf(file));
    before = file;
  }
  for (const box of page.querySelectorAll<HTMLElement>('[data-pdf]:empty')) {
    const response = await fetch(box.dataset.pdf!).catch(() => null);
    if (response?.ok) box.replaceChildren(firstPage(await response.blob(), ''));
  }
  await Promise.all(deletions);
}

const previewIn = (page: Document, step: string): HTMLElement | null =>
  page.querySelector(`[data-preview="${step}"]`);

const previewOf = (file: File): HTMLElement =>
  file.type === 'application/pdf'
    ? firstPage(file, '')
    : make('img', { src: urlOf(file), alt: '' });
