/** Defines a row of a batch: a file, and its result or the reason why it has no result. */
import { sizeText } from '../../../core/size-text.ts';
import { make } from './elements.ts';
import { errorText, isSharedReason, isWorthRetry, ResponseError } from './error-text.ts';
import { changeText, isReduced, urlOf } from './file-result.ts';
import {
  RESULT_LOST,
  type RowProblem,
  restoredFile,
  type SavedFile,
  type SavedRow,
  withoutData,
} from './session.ts';

export interface BatchRow {
  /** The name of the input. */
  name: string;
  /** The size of the input in bytes. */
  size: number;
  /** The input. Undefined if it was not saved for a reload. */
  file?: File;
  result?: File;
  /** The encoded result. */
  saved?: SavedFile;
  /** The warnings of the result. */
  warnings?: readonly string[];
  problem?: RowProblem;
  isDownloaded?: boolean;
}

const hint = (text: string): RowProblem => ({ text, isError: false, canRetry: true });

const rowOf = (file: File): BatchRow => ({ name: file.name, size: file.size, file });

/**
 * Returns a row for each file. Files that have a result in `last` keep it and are not processed again, unless all of
 * them have one, which means that the visitor wants another run.
 */
export function rowsOf(files: readonly File[], last: readonly BatchRow[]): BatchRow[] {
  const rows = files.map(
    (file) => last.find((row) => row.file === file && row.result) ?? rowOf(file),
  );
  return rows.every(({ result }) => result) ? files.map(rowOf) : rows;
}

/** Returns the problem that a row shows when its call fails. */
export function problemOf(error: unknown): RowProblem {
  if (error instanceof DOMException && error.name === 'AbortError') return hint('Cancelled.');
  const text = errorText(error);
  const status = error instanceof ResponseError ? error.status : 0;
  if (isSharedReason(error)) return { ...hint('Not run.'), shared: { status, text } };
  return { text, isError: true, canRetry: isWorthRetry(error) };
}

/**
 * Returns the row in the format that is saved for a reload. A row without a result or a problem is saved as not run,
 * because a reload stops the run.
 */
export function savedRow({ name, size, result, saved, problem, ...rest }: BatchRow): SavedRow {
  const { warnings, isDownloaded } = rest;
  if (result) return { name, size, warnings, isDownloaded, result: saved ?? withoutData(result) };
  return { name, size, problem: problem ?? hint('Not run.') };
}

/** Returns a saved row. `inputs` are the restored input files. */
export function restoredRow(row: SavedRow, inputs: readonly File[]): BatchRow {
  const { name, size, result, warnings, isDownloaded, isLost } = row;
  return {
    name,
    size,
    warnings,
    isDownloaded,
    saved: result,
    file: inputs.find((file) => file.name === name && file.size === size),
    result: result && restoredFile(result),
    problem: isLost ? hint(RESULT_LOST) : row.problem,
  };
}

/** Describes the size of a row's result, together with the size of the input if the tool reduces file sizes. */
export const sizesText = (before: number, result: File): string =>
  isReduced(result)
    ? `${sizeText(before)} → ${sizeText(result.size)}, ${changeText(before, result.size)}`
    : sizeText(result.size);

/** Returns the preview of a result, if it is an image, and the links that open and save it. */
export function resultParts(row: BatchRow, result: File): { image: Node[]; links: Node[] } {
  const { name, type } = result;
  const href = urlOf(result);
  const save = make('a', { className: 'button', href, download: name, ariaLabel: `Save ${name}` });
  save.textContent = 'Save';
  save.addEventListener('click', () => {
    row.isDownloaded = true;
  });
  const target = { target: '_blank', rel: 'noopener', ariaLabel: `Open ${name}` };
  const open = make('a', { className: 'button', href, ...target, textContent: 'Open' });
  return {
    image: type.startsWith('image/') ? [make('img', { src: href, alt: '' })] : [],
    links: /^(image\/|application\/pdf)/.test(type) ? [open, save] : [save],
  };
}
