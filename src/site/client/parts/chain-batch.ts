/** Runs a chain once for each of several files, and lists the results. */
import { runBatch } from './batch.ts';
import { readLast } from './chain-results.ts';
import { make } from './elements.ts';
import { compareSizes, forgetFiles } from './file-result.ts';
import { dropResult } from './last-result.ts';
import { runChain } from './run-chain.ts';
import { parsed, savedName } from './text-file.ts';

export async function runChainBatch(
  form: HTMLFormElement,
  files: readonly File[],
  signal: AbortSignal,
): Promise<void> {
  forgetFiles();
  dropResult();
  const box = make('div', { className: 'stack' });
  const title = make('h2', { id: 'result-title', textContent: 'Results', tabIndex: -1 });
  const section = make('section', { id: 'chain-result', className: 'card stack' }, title, box);
  section.setAttribute('aria-labelledby', title.id);
  form.after(section);
  section.scrollIntoView({ block: 'nearest' });
  await runBatch(files, box, signal, 'chain-results.zip', (file, ofFile, onProgress) =>
    runChain(form, [file], ofFile, onProgress, async (response) => {
      const result = await readLast(parsed(await response.text()), file);
      // The results of a chain have the same name, so each is named after its input.
      const named = new File([result], savedName(result.name, file), { type: result.type });
      compareSizes(named);
      return named;
    }),
  );
  title.focus({ preventScroll: true });
}
