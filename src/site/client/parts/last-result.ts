/** Preserves the result of the last run while the visitor changes the steps, and across a reload. */
import type { Batch } from './batch.ts';
import type { BatchRow } from './batch-row.ts';
import { filesToSave } from './chain-files.ts';
import { byId, find, make } from './elements.ts';
import { warnBeforeLeaving } from './leave-warning.ts';
import { lacksResult, type SavedWork, saveWork } from './session.ts';

export interface SavedResult extends Pick<SavedWork, 'result' | 'isDownloaded'> {
  /**
   * The markup of the section as the service rendered it. Set only if `result` is a file.
   */
  markup?: string;
  batch?: Batch;
}

interface LastResult extends SavedResult {
  section: HTMLElement;
  /** The code of the chain that created the result. */
  code: string;
}

let last: LastResult | undefined;

/** Returns the code of the chain on the page, which changes with the steps and values. */
const chainCode = (): string => document.querySelector('#calls pre code')?.textContent ?? '';

/** Stores the result that `section` shows, and removes the previous one. */
export function replaceResult(section: HTMLElement, saved: SavedResult, code = chainCode()): void {
  dropResult();
  const current: LastResult = { ...saved, section, code };
  section.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[download], [data-save]'))
      current.isDownloaded = true;
  });
  last = current;
  attachResult();
}

/** Returns the rows of the last run, or none if the chain has changed since. */
export const lastRows = (): readonly BatchRow[] =>
  last?.code === chainCode() ? (last.batch?.rows ?? []) : [];

export function dropResult(): void {
  last?.section.remove();
  last = undefined;
}

/** Puts the result below the steps. It is not shown while the chain has no steps. */
export function attachResult(): void {
  if (!last || !document.querySelector('.step')) return;
  byId('chain-form').after(last.section);
  markIfStale();
}

/** Shows a note if the chain has changed since the result was created. */
export function markIfStale(): void {
  if (!last) return;
  const { section, code } = last;
  section.querySelector('.stale')?.remove();
  if (code === chainCode()) return;
  const textContent = 'The chain has changed since this result was created.';
  find(section, 'h2').after(make('p', { className: 'notice warn small stale', textContent }));
}

function save(): SavedWork {
  const { markup = '', batch, code = '', result, isDownloaded } = last ?? {};
  // The URLs of chains differ only in the query string, so it is saved too.
  const values = { markup, code, query: location.search };
  return saveWork({ values, files: filesToSave(), result, rows: batch?.saved(), isDownloaded });
}

addEventListener('pagehide', save);
warnBeforeLeaving(() => lacksResult(save()));
