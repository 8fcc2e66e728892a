/** Preserves the form of a tool's page and the shown result across a reload and the back button. */
import type { Batch } from './batch.ts';
import { type BatchRow, restoredRow } from './batch-row.ts';
import { setError } from './field-errors.ts';
import type { FileList } from './file-list.ts';
import { enteredIn, type FormControl, setValue } from './form-fields.ts';
import { warnBeforeLeaving } from './leave-warning.ts';
import {
  encodedFiles,
  lacksResult,
  lostText,
  RESULT_LOST,
  restoredFile,
  type SavedWork,
  savedFile,
  savedWork,
  saveWork,
  withoutData,
} from './session.ts';
import { sharedLinks } from './shared-links.ts';
import {
  isStale,
  markStale,
  type Result,
  result,
  resultElements,
  showParts,
  showWaiting,
} from './tool-result.ts';

type Shown = Pick<SavedWork, 'result' | 'warnings' | 'isDownloaded'> & {
  batch?: Batch;
  /** The resulting file. */
  file?: File;
};

let shown: Shown = {};

/** Records the batch that the page shows. */
export function recordBatch(batch: Batch): void {
  shown = { batch };
}

/** Returns the rows of the shown batch. */
export const shownRows = (): readonly BatchRow[] => shown.batch?.rows ?? [];

/** Records the result that the page shows. */
export async function recordResult(made: Result, warnings: string | undefined): Promise<void> {
  const encoded = typeof made === 'string' ? made : ((await savedFile(made)) ?? withoutData(made));
  shown = { result: encoded, warnings, ...(made instanceof File && { file: made }) };
}

/**
 * Saves the work when the visitor leaves the page, and asks first if a result would be lost. Restores the work after a
 * reload.
 *
 * @param showRows shows the rows of a restored batch
 */
export function preserveForm(
  fields: readonly FormControl[],
  list: FileList | null,
  fileBox: HTMLElement | null,
  showRows: (rows: readonly BatchRow[]) => Batch,
): void {
  const files = list && fileBox ? encodedFiles(fileBox, list.files) : () => [];

  function save(): SavedWork {
    const values = Object.fromEntries(fields.map((field) => [field.name, enteredIn(field)]));
    const { batch, file, result: encoded, ...rest } = shown;
    const link = file && sharedLinks.get(file);
    const withLink = typeof encoded === 'object' && link ? { ...encoded, link } : encoded;
    const rows = batch?.saved();
    return saveWork({
      ...rest,
      result: withLink,
      values,
      files: files(),
      rows,
      isStale: isStale(),
      isInterrupted: result.dataset.state === 'running',
    });
  }

  async function restore(saved: SavedWork): Promise<void> {
    for (const field of fields) {
      const value = saved.values[field.name];
      if (value !== undefined && value !== enteredIn(field)) setValue(field, value);
    }
    const restored = saved.files.map(restoredFile);
    if (restored.length > 0) list?.replace(restored);
    const lost = lostText(saved);
    if (fileBox && lost) setError(fileBox, lost);
    const { result, rows, warnings, isDownloaded } = saved;
    if (rows) showRows(rows.map((row) => restoredRow(row, restored)));
    else if (result !== undefined) {
      // The restored files may differ from those from which the result was created.
      const sent = lost || saved.isStale ? [] : restored;
      const made = typeof result === 'string' ? result : restoredFile(result);
      shown = { result, warnings, isDownloaded, ...(made instanceof File && { file: made }) };
      showParts(await resultElements(made, sent), sent, warnings);
    } else if (saved.isResultLost) showWaiting(RESULT_LOST);
    else if (saved.isInterrupted)
      showWaiting('The run stopped because you left or reloaded the page. Run the tool again.');
    if (saved.isStale) markStale();
  }

  addEventListener('pagehide', save);
  warnBeforeLeaving(() => lacksResult(save()));
  result.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[download], [data-save]'))
      shown.isDownloaded = true;
  });
  const saved = savedWork();
  if (saved) void restore(saved);
}
