/**
 * Manages the files of a chain. Files that the first tool does not take are kept, because the visitor may change the
 * steps again.
 */
import { costText } from '../../chain/cost-text.ts';
import { sortOut } from './chosen-files.ts';
import { byId, showMessage } from './elements.ts';
import { setError } from './field-errors.ts';
import { fileList } from './file-list.ts';
import { encodedFiles } from './session.ts';

/** The list of the chosen files, or undefined if the chain does not start with an upload. */
let list: ReturnType<typeof fileList> | undefined;
/** The files that the first tool does not take. */
let refused: File[] = [];
let shown = new AbortController();

export const fileBox = () => document.querySelector<HTMLElement>('[data-files]');

/** Returns the files that the chain runs on. */
export const chosenFiles = (): File[] => list?.files() ?? [];

/** Whether the chain runs once for each file, because its first tool takes only one. */
export const isBatch = (): boolean =>
  chosenFiles().length > 1 && fileBox()?.dataset.batch !== undefined;

document.addEventListener('files', () => {
  // If the service has no limits, the page does not show the cost.
  const cost = document.getElementById('cost');
  if (!cost) return;
  const runs = isBatch() ? chosenFiles().length : 1;
  cost.textContent = costText(Number(cost.dataset.steps), runs);
});

const allFiles = (): File[] => [...new Set([...chosenFiles(), ...refused])];

/** Returns all files, encoded for the session storage. */
export const filesToSave = encodedFiles(document.body, allFiles);

/** Adds the list of files to the page's file field. Files that were already chosen remain chosen. */
export function showFiles(): void {
  const files = allFiles();
  shown.abort();
  shown = new AbortController();
  const box = fileBox();
  list = box ? fileList(box, { signal: shown.signal }) : undefined;
  const error = box && byId('files-error').textContent;
  replaceFiles(files);
  // `replaceFiles` removes the error, as any choice of files does. The visitor did not choose these files, so the error
  // is shown again.
  if (box && error) setError(box, error);
}

/** Replaces all files, including those that are refused. */
export function replaceFiles(files: readonly File[]): void {
  refused = [...files];
  const box = fileBox();
  const accepted = box ? sortOut(files, box.dataset).accepted : [];
  list?.replace(accepted);
  const chosen = chosenFiles();
  refused = files.filter((file) => !chosen.includes(file));
  // The list dispatches this event only if it receives a file.
  if (accepted.length === 0)
    document.body.dispatchEvent(new CustomEvent('files', { bubbles: true }));
  if (box) showMessage(byId('refused-files'), refusedText(refused.length));
}

function refusedText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? 'Step 2 does not accept 1 of the files, so it is not sent. Change step 2, or choose another file.'
    : `Step 2 does not accept ${count} of the files, so they are not sent. Change step 2, or choose other files.`;
}
