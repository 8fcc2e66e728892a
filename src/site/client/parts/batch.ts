/**
 * Runs a tool on many files. Shows the progress of each file, and offers retries that can succeed and a ZIP file with
 * all results.
 */

import { sizeText } from '../../../core/size-text.ts';
import type { NextTool } from '../../tool/next-tool.ts';
import { type JobState, progressText } from '../../tool/progress-text.ts';
import { type BatchRow, problemOf, resultParts, savedRow, sizesText } from './batch-row.ts';
import { find, linked, make } from './elements.ts';
import { changeText, isReduced, urlOf } from './file-result.ts';
import { sendMenu } from './send-file.ts';
import { type SavedRow, savedFile } from './session.ts';

/**
 * The number of files that are sent concurrently. The service also limits the number of concurrent calls per caller.
 */
const AT_ONCE = 2;

export interface RunResult {
  result: File;
  warnings: readonly string[];
}

/** Runs the tool on one file. */
export type RunOne = (
  file: File,
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
) => Promise<RunResult>;

export interface Batch {
  rows: readonly BatchRow[];
  /** Runs the tool on all files without a result. The promise resolves when all files are finished. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns the rows in the format that is saved for a reload. */
  saved(): SavedRow[];
}

/**
 * Lists the rows in `box`.
 *
 * @param zipName the name of the ZIP file with all results
 * @param nextTools the tools that can take the results
 */
export function showBatch(
  rows: readonly BatchRow[],
  box: HTMLElement,
  zipName: string,
  nextTools: readonly NextTool[],
  run: RunOne,
): Batch {
  const items = new Map(rows.map((row) => [row, make('li')]));
  const all = make('button', { type: 'button', className: 'main' }, 'Download all (ZIP)');
  const summary = make('span', { className: 'soft small', role: 'status' });
  const actions = make('div', { className: 'actions' }, all, summary);
  const reasons = make('div', { className: 'notice bad small', role: 'alert' });
  all.addEventListener('click', () => saveAll(rows, zipName));

  /** Shows the number of results, and the messages that concern all files. */
  function showCount(): void {
    const done = rows.filter(({ result }) => result);
    all.hidden = done.length === 0 || rows.some(({ result, problem }) => !result && !problem);
    const results = done.map(({ result }) => result!);
    const menu = all.hidden ? null : sendMenu(results, nextTools);
    actions.replaceChildren(all, ...(menu ? [menu] : []), summary);
    summary.textContent = `${done.length} of ${rows.length} done${totalChange(done)}`;
    const shared = sharedProblems(rows);
    reasons.replaceChildren(...shared.map((text) => make('p', {}, ...linked(text))));
    reasons.hidden = shared.length === 0;
  }

  /**
   * Shows a row. Returns the element with the row's state, which is `stateText` until there is a result or a problem.
   */
  function show(row: BatchRow, stateText: string): HTMLElement {
    const { file, result, warnings = [], problem } = row;
    const text = result ? sizesText(row.size, result) : (problem?.text ?? stateText);
    const state = make('span', { className: problem?.isError ? 'error' : 'hint' }, ...linked(text));
    const notes = warnings.map((textContent) =>
      make('span', { className: 'warning', textContent }),
    );
    const title = make('span', { className: 'name' }, result?.name ?? row.name, state, ...notes);
    const { image, links } = result ? resultParts(row, result) : { image: [], links: [] };
    const retry = problem?.canRetry && file ? [retryButton(row, file)] : [];
    items.get(row)!.replaceChildren(...image, title, ...links, ...retry);
    showCount();
    return state;
  }

  function retryButton(row: BatchRow, file: File): HTMLButtonElement {
    const retry = make('button', { type: 'button', textContent: 'Retry' });
    retry.ariaLabel = `Retry ${row.name}`;
    // A retry runs after the batch, when the batch's signal may already be aborted.
    retry.addEventListener('click', () => void runRow(row, file, new AbortController().signal));
    return retry;
  }

  async function runRow(row: BatchRow, file: File, signal: AbortSignal): Promise<void> {
    row.problem = undefined;
    const state = show(row, 'Working…');
    const started = Date.now();
    try {
      signal.throwIfAborted();
      const { result, warnings } = await run(file, signal, (progress) => {
        state.textContent = progressText(progress, Date.now() - started);
      });
      row.saved = (await savedFile(result).catch(() => null)) ?? undefined;
      row.result = result;
      row.warnings = warnings;
    } catch (error) {
      row.problem = problemOf(error);
    }
    show(row, '');
  }

  for (const row of rows) show(row, 'Waiting…');
  box.replaceChildren(
    actions,
    reasons,
    make('ul', { className: 'files stack tight', ariaLabel: 'Results' }, ...items.values()),
  );
  return {
    rows,
    saved: () => rows.map(savedRow),
    async run(signal) {
      const waiting = rows.filter(({ result }) => !result);
      const work = async () => {
        for (let row = waiting.shift(); row; row = waiting.shift())
          await runRow(row, row.file!, signal);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
  };
}

/** Returns the messages that concern all files. Messages with the same status differ only in the wait time. */
function sharedProblems(rows: readonly BatchRow[]): string[] {
  const shared = new Map<number, string>();
  for (const { problem } of rows)
    if (problem?.shared) shared.set(problem.shared.status, problem.shared.text);
  return [...shared.values()];
}

/** Describes the total size before and after, if the tool reduces file sizes. */
function totalChange(done: readonly BatchRow[]): string {
  if (!done[0]?.result || !isReduced(done[0].result)) return '';
  const before = done.reduce((sum, { size }) => sum + size, 0);
  const after = done.reduce((sum, { result }) => sum + result!.size, 0);
  return `, ${sizeText(before)} → ${sizeText(after)}, ${changeText(before, after)}`;
}

async function saveAll(rows: readonly BatchRow[], download: string): Promise<void> {
  const taken = new Set<string>();
  const done = rows.filter(({ result }) => result);
  const files = done.map(({ result }) => ({
    name: unusedName(result!.name, taken),
    input: result!,
  }));
  const script = find(document, '[data-zip]').dataset.zip!;
  const { downloadZip }: typeof import('../zip-results.ts') = await import(script);
  const zip = await downloadZip(files).blob();
  make('a', { href: urlOf(zip), download }).click();
  for (const row of done) row.isDownloaded = true;
}

/** Returns the name, with a number appended if an earlier file already has it. */
function unusedName(name: string, taken: Set<string>): string {
  let given = name;
  for (let number = 2; taken.has(given); number++)
    given = name.replace(/(\.\w+)?$/, (extension) => `-${number}${extension}`);
  taken.add(given);
  return given;
}
