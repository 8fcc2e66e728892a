/** Runs a chain once for each of several files, and lists the results. */
import { type Batch, showBatch } from './batch.ts';
import type { BatchRow } from './batch-row.ts';
import { readLast } from './chain-results.ts';
import { make } from './elements.ts';
import { compareSizes, forgetFiles } from './file-result.ts';
import { replaceResult } from './last-result.ts';
import { readPage, runChain } from './run-chain.ts';

/** Runs the chain of `form` on the files of the rows. */
export async function runChainBatch(
  form: HTMLFormElement,
  rows: readonly BatchRow[],
  signal: AbortSignal,
): Promise<void> {
  const { section, batch } = showChainBatch(form, rows);
  section.scrollIntoView({ block: 'nearest' });
  await batch.run(signal);
  section.querySelector('h2')?.focus({ preventScroll: true });
}

/**
 * Shows the rows as the result of the chain.
 *
 * @param code the code of the chain that created the results, if it is not the chain on the page
 */
export function showChainBatch(
  form: HTMLFormElement,
  rows: readonly BatchRow[],
  code?: string,
): { section: HTMLElement; batch: Batch } {
  forgetFiles();
  const box = make('div', { className: 'stack' });
  const title = make('h2', { id: 'result-title', textContent: 'Results', tabIndex: -1 });
  const section = make('section', { id: 'chain-result', className: 'card stack' }, title, box);
  section.setAttribute('aria-labelledby', title.id);
  const batch = showBatch(rows, box, 'chain-results.zip', [], (file, signal, onProgress) =>
    runChain(form, [file], signal, onProgress, async (response) => {
      const { result, warnings } = await readLast(await readPage(response), file);
      compareSizes(result);
      return { result, warnings };
    }),
  );
  replaceResult(section, { batch }, code);
  return { section, batch };
}
