/** Reads the files of a chain's results, and deletes them from the service. */
import type { NextTool } from '../../tool/next-tool.ts';
import { deleteFile } from './api.ts';
import type { RunResult } from './batch.ts';
import { find, make } from './elements.ts';
import { compareSizes, fileResult, forgetFiles, urlOf } from './file-result.ts';
import { firstPage } from './pdf-pages.ts';
import { reveal } from './reveal.ts';
import { nameAfterFile, namedAfter, parseHtml, textFileOf } from './text-file.ts';

/** The section with the result of the last step. */
const LAST = '#chain-result';

interface StoredResult {
  url: string;
  filename: string;
  contentType: string;
  deleteToken: string;
  inputBytes?: number;
  /** The facts of an image that was compressed from an input of 5 MB or more. */
  metadata?: { inputBytes: number };
}

/**
 * Shows the resulting files in `page` and deletes them from the service, except those whose link a later step uses. A
 * file that cannot be read remains a link. Returns the file of the last step, if it was shown.
 *
 * @param input the file of the first step, if there is exactly one
 */
export async function takeFiles(
  page: Document,
  input: File | undefined,
): Promise<File | undefined> {
  forgetFiles();
  let before = input;
  let last: File | undefined;
  const deletions: Promise<unknown>[] = [];
  for (const box of page.querySelectorAll<HTMLElement>('[data-file]')) {
    const stored = storedIn(box);
    const file = await fileOf(stored, input);
    if (!file) continue;
    deletions.push(deleteFile(stored));
    // A result is compared with the previous file only if that file is the step's only input.
    const inputBytes = stored.inputBytes ?? stored.metadata?.inputBytes;
    const base = before?.size === inputBytes ? before : undefined;
    if (base) compareSizes(file, inputBytes);
    await showFile(box, file, base);
    showBrief(page, box.dataset.result!, file);
    before = file;
    if (box.closest(LAST)) last = file;
  }
  for (const box of page.querySelectorAll<HTMLElement>('[data-pdf]:empty')) {
    const response = await fetch(box.dataset.pdf!).catch(() => null);
    if (response?.ok) box.replaceChildren(firstPage(await response.blob(), ''));
  }
  const section = page.querySelector(LAST);
  if (section && input) nameAfterFile(section, input);
  await Promise.all(deletions);
  return last;
}

/** Shows a file in the element that the service rendered for it. */
async function showFile(box: HTMLElement, file: File, before: File | undefined): Promise<void> {
  const nextTools: NextTool[] = JSON.parse(box.dataset.nextTools!);
  box.replaceChildren(...(await fileResult(file, before, nextTools, true)));
}

/**
 * Returns the result of the last step in `page` as a file that is named after `input`, and the warnings of all steps,
 * each with the title of its tool. Deletes the files of all steps from the service. Throws an Error with the message of
 * the page if the chain failed, or with its own message if the result cannot be read.
 */
export async function readLast(page: Document, input: File): Promise<RunResult> {
  const boxes = [...page.querySelectorAll<HTMLElement>('[data-file]')];
  const section = page.querySelector<HTMLElement>(LAST);
  const own = section?.querySelector<HTMLElement>('[data-file]');
  const warnings = [...page.querySelectorAll<HTMLElement>('.output[data-title]')].flatMap((step) =>
    [...step.querySelectorAll(':scope > .notice.warn')].map(
      ({ textContent }) => `${step.dataset.title} · ${textContent}`,
    ),
  );
  try {
    if (!section) throw new Error(messageIn(page));
    if (!own) return { result: textFileOf(section.outerHTML, input), warnings };
    const result = await fileOf(storedIn(own), input);
    if (!result) throw new Error('The result cannot be read. Try again.');
    return { result, warnings };
  } finally {
    for (const box of boxes) void deleteFile(storedIn(box));
  }
}

const messageIn = (page: Document): string =>
  page.querySelector('.error:not([hidden]), .notice.bad:not([hidden])')?.textContent ??
  'The chain failed.';

/**
 * Returns the section with the last result as it was before a reload.
 *
 * @param markup the markup of the section as the service rendered it
 * @param file the file in the section. Undefined if the result is not a file.
 */
export async function resultSection(markup: string, file?: File): Promise<HTMLElement> {
  const section = find(parseHtml(markup), LAST);
  const box = section.querySelector<HTMLElement>('[data-file]');
  if (box && file) await showFile(box, file, undefined);
  reveal(section);
  return section;
}

const storedIn = ({ dataset }: HTMLElement): StoredResult => JSON.parse(dataset.file!);

/** Returns a result as a file. Its name is derived from the visitor's file if there is exactly one. */
async function fileOf(
  { url, filename, contentType }: StoredResult,
  input: File | undefined,
): Promise<File | undefined> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) return undefined;
  const name = input ? namedAfter(filename, input) : filename;
  return new File([await response.blob()], name, { type: contentType });
}

/** Shows the file in the line of its step, as a thumbnail and a link that saves it. */
function showBrief(page: Document, step: string, file: File): void {
  const url = urlOf(file);
  const thumb =
    file.type === 'application/pdf' ? firstPage(file, '') : make('img', { src: url, alt: '' });
  page.querySelector(`[data-preview="${step}"]`)?.replaceChildren(thumb);
  const save = page.querySelector<HTMLAnchorElement>(`[data-brief="${step}"]`);
  if (save)
    Object.assign(save, { href: url, download: file.name, textContent: `Save ${file.name}` });
}
