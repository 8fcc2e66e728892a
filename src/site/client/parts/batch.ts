/** Runs a tool on many files. Shows the progress of each file, and offers retries that can succeed and a ZIP file with all results. */
import { downloadZip } from 'client-zip';
import { type JobState, progressText } from '../../tool/progress-text.ts';
import { sizeText } from '../../tool/size-text.ts';
import { make } from './elements.ts';
import { errorText, isWorthRetry } from './error-text.ts';
import { changeText, isReduced, urlOf } from './file-result.ts';

/** The number of files that are sent at a time. The service also limits the concurrent calls of a caller. */
const AT_ONCE = 2;

/** Runs the tool on one file. */
export type RunOne = (
  file: File,
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
) => Promise<File>;

interface Row {
  file: File;
  item: HTMLElement;
  result?: File;
}

/**
 * Runs the tool on all files and lists them in `box`. The promise resolves when all files are finished.
 *
 * @param zipName the name of the ZIP file with all results
 */
export async function runBatch(
  sent: readonly File[],
  box: HTMLElement,
  signal: AbortSignal,
  zipName: string,
  run: RunOne,
): Promise<void> {
  const rows = sent.map((file): Row => ({ file, item: make('li') }));
  const all = make('button', { type: 'button', className: 'main', disabled: true });
  const summary = make('span', { className: 'soft small', role: 'status' });
  all.addEventListener('click', () => saveAll(rows, zipName));

  function showCount(): void {
    const done = rows.filter(({ result }) => result);
    all.textContent = 'Download all (ZIP)';
    all.disabled = done.length === 0;
    summary.textContent = `${done.length} of ${rows.length} done${totalChange(done)}`;
  }

  async function runRow(row: Row, isRetry = false): Promise<void> {
    const state = make('span', { className: 'hint', textContent: 'Working…' });
    const title = make('span', { className: 'name' }, row.file.name, state);
    row.item.replaceChildren(title);
    const started = Date.now();
    // A retry runs after the batch, when the signal of the batch may already be aborted.
    const ofRow = isRetry ? new AbortController().signal : signal;
    try {
      ofRow.throwIfAborted();
      row.result = await run(row.file, ofRow, (progress) => {
        state.textContent = progressText(progress, Date.now() - started);
      });
      const { name, type } = row.result;
      const url = urlOf(row.result);
      state.textContent = sizesText(row.file.size, row.result);
      title.replaceChildren(name, state);
      if (type.startsWith('image/')) row.item.prepend(make('img', { src: url, alt: '' }));
      if (/^(image\/|application\/pdf)/.test(type)) {
        const target = { target: '_blank', rel: 'noopener', ariaLabel: `Open ${name}` };
        row.item.append(make('a', { className: 'button', href: url, ...target }, 'Open'));
      }
      const download = { download: name, ariaLabel: `Save ${name}` };
      row.item.append(make('a', { className: 'button', href: url, ...download }, 'Save'));
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError';
      state.className = isCancelled ? 'hint' : 'error';
      state.textContent = isCancelled ? 'Cancelled.' : errorText(error);
      if (isWorthRetry(error)) {
        const retry = make('button', { type: 'button', textContent: 'Retry' });
        retry.ariaLabel = `Retry ${row.file.name}`;
        retry.addEventListener('click', () => void runRow(row, true));
        row.item.append(retry);
      }
    }
    showCount();
  }

  for (const { file, item } of rows) {
    const state = make('span', { className: 'hint', textContent: 'Waiting…' });
    item.append(make('span', { className: 'name' }, file.name, state));
  }
  showCount();
  box.replaceChildren(
    make('div', { className: 'actions' }, all, summary),
    make(
      'ul',
      { className: 'files stack tight', ariaLabel: 'Results' },
      ...rows.map(({ item }) => item),
    ),
  );
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) await runRow(row);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Returns the size of a result. If the tool reduces sizes, it is compared with the size before. */
const sizesText = (before: number, result: File): string =>
  isReduced(result)
    ? `${sizeText(before)} → ${sizeText(result.size)}, ${changeText(before, result.size)}`
    : sizeText(result.size);

/** Returns the total size before and after, if the tool reduces sizes. */
function totalChange(done: readonly Row[]): string {
  if (!done[0]?.result || !isReduced(done[0].result)) return '';
  const before = done.reduce((sum, { file }) => sum + file.size, 0);
  const after = done.reduce((sum, { result }) => sum + result!.size, 0);
  return `, ${sizeText(before)} → ${sizeText(after)}, ${changeText(before, after)}`;
}

async function saveAll(rows: readonly Row[], download: string): Promise<void> {
  const taken = new Set<string>();
  const files = rows.flatMap(({ result }) =>
    result ? { name: free(result.name, taken), input: result } : [],
  );
  const zip = await downloadZip(files).blob();
  make('a', { href: urlOf(zip), download }).click();
}

/** Returns the name, with a number if an earlier file already has it. */
function free(name: string, taken: Set<string>): string {
  let given = name;
  for (let number = 2; taken.has(given); number++)
    given = name.replace(/(\.\w+)?$/, (extension) => `-${number}${extension}`);
  taken.add(given);
  return given;
}
