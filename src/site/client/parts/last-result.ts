/** Keeps the result of the last run while the visitor changes the steps, and across a reload. */
import { filesToSave } from './chain-files.ts';
import { byId, find, make } from './elements.ts';
import { type SavedFile, saveWork } from './session.ts';

export interface SavedResult {
  /** The markup of the section as the service rendered it. */
  markup: string;
  file?: SavedFile;
}

interface LastResult extends SavedResult {
  section: HTMLElement;
  /** The code of the chain that created the result. */
  code: string;
}

let last: LastResult | undefined;

/** Returns the code of the chain on the page, which is different for other steps and values. */
const chainCode = (): string => document.querySelector('#calls pre code')?.textContent ?? '';

/** Keeps the result that `section` shows, and drops the previous one. */
export function keepResult(section: HTMLElement, saved: SavedResult, code = chainCode()): void {
  dropResult();
  last = { ...saved, section, code };
  attachResult();
}

export function dropResult(): void {
  last?.section.remove();
  last = undefined;
}

/** Puts the result below the steps. It is not shown while the chain has no steps. */
export function attachResult(): void {
  if (!last || !document.querySelector('.step')) return;
  byId('chain-form').after(last.section);
  markStale();
}

/** Shows a note if the chain has changed since the result was created. */
export function markStale(): void {
  if (!last) return;
  const { section, code } = last;
  section.querySelector('.stale')?.remove();
  if (code === chainCode()) return;
  const textContent = 'The chain has changed since this result was created.';
  find(section, 'h2').after(make('p', { className: 'notice small stale', textContent }));
}

function save(): void {
  const { markup = '', file, code = '' } = last ?? {};
  // Chains differ only in the query of their address.
  const values = { markup, code, query: location.search };
  saveWork({ values, files: filesToSave(), result: file });
}

addEventListener('pagehide', save);
