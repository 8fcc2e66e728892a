/**
 * Posts the form of the chain page without a reload, and replaces the page's content with the content of the response.
 */
import { asArranged } from './parts/arranged-pages.ts';
import { restoredRow, rowsOf } from './parts/batch-row.ts';
import { runChainBatch, showChainBatch } from './parts/chain-batch.ts';
import { chosenFiles, fileBox, isBatch, replaceFiles, showFiles } from './parts/chain-files.ts';
import { focusAfter, stepIds } from './parts/chain-focus.ts';
import { opened, showName } from './parts/chain-name.ts';
import { showError, showProgress, showRunning, showStopped } from './parts/chain-progress.ts';
import { resultSection, takeFiles } from './parts/chain-results.ts';
import { problemWith } from './parts/chosen-files.ts';
import { byId, find, showMessage } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { setError } from './parts/field-errors.ts';
import { findSteps } from './parts/find-step.ts';
import { showRanges } from './parts/form-fields.ts';
import {
  attachResult,
  dropResult,
  lastRows,
  markIfStale,
  replaceResult,
  type SavedResult,
} from './parts/last-result.ts';
import './parts/open-text-file.ts';
import { orderByDragging } from './parts/order-steps.ts';
import { readQuota } from './parts/quota.ts';
import { replaceChain } from './parts/replace-chain.ts';
import { reveal } from './parts/reveal.ts';
import { linksField, readPage, runChain, send } from './parts/run-chain.ts';
import { sampleFile } from './parts/sample-file.ts';
import { saveChain, showSavedChains } from './parts/saved-chains.ts';
import {
  lostText,
  RESULT_LOST,
  restoredFile,
  savedFile,
  savedWork,
  withoutData,
} from './parts/session.ts';

/** How long the visitor must pause before the code is updated, in milliseconds. */
const REFRESH_AFTER_MS = 250;
/** The elements that an update replaces. */
const REFRESHED = [
  '.feeds',
  '.values',
  '.hints',
  '[data-afterwards]',
  '#calls code',
  '#share code',
];

let controller: AbortController | undefined;

// The form is looked up each time, because every response replaces it.
const form = () => byId<HTMLFormElement>('chain-form');

document.addEventListener('submit', (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  const { submitter } = event;
  submit((submitter instanceof HTMLButtonElement && submitter.value) || 'run');
});

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-cancel]')) controller?.abort();
  const button = target instanceof Element ? target.closest<HTMLElement>('button') : null;
  if (button?.dataset.try) tryTemplate(button.dataset.try);
  if (button?.dataset.sample) trySample(JSON.parse(button.dataset.sample));
  const name = document.getElementById('save-name');
  if (target instanceof HTMLElement && target.dataset.saveChain && name instanceof HTMLInputElement)
    showMessage(byId('saved-status'), saveChain(name.value, target.dataset.saveChain));
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || (event.target as Element).id !== 'save-name') return;
  find(document, '[data-save-chain]').click();
});

let timer: number | undefined;
/** Whether the page's URL still lacks the latest values. */
let isUnsaved = false;
document.addEventListener('input', ({ target }) => {
  if (
    !(target instanceof HTMLElement && target.closest('.step')) ||
    target.matches('[type="file"]')
  )
    return;
  isUnsaved = true;
  clearTimeout(timer);
  timer = setTimeout(refresh, REFRESH_AFTER_MS);
});

/** Opens a template and runs it, with sample files if it takes files. */
async function tryTemplate(name: string): Promise<void> {
  const path = `/chains?template=${name}`;
  try {
    showPage(await readPage(await fetch(path, { headers: { Accept: 'text/html' } })));
    history.pushState(null, '', path);
    const { sample } = document.querySelector<HTMLElement>('[data-sample]')?.dataset ?? {};
    await (sample ? trySample(JSON.parse(sample)) : submit('run'));
  } catch (error) {
    showError(errorText(error));
  }
}

async function trySample(names: readonly string[]): Promise<void> {
  const drawn = names.map((name, index) => sampleFile(byId('chain'), name, index));
  replaceFiles(await Promise.all(drawn));
  await submit('run');
}

// Opening a template replaces the page's content without loading a page, so the browser must reload when the visitor
// goes back.
addEventListener('popstate', () => location.reload());

function showPage(page: Document): void {
  replaceChain(page);
  reveal(byId('chain'));
  showName();
  showSavedChains();
  showRanges(form());
  showFiles();
  showChainQuota();
}

/** Requests the remaining quota if the page does not show it, because only the response to a run contains it. */
function showChainQuota(isOutdated = false): void {
  const left = document.getElementById('left');
  const { tool } = left?.dataset ?? {};
  if (tool && (isOutdated || left!.textContent === '')) readQuota(`/chains/left?tool=${tool}`);
}

async function restore(): Promise<void> {
  const saved = savedWork();
  if (!saved) return;
  const files = saved.files.map(restoredFile);
  replaceFiles(files);
  const box = fileBox();
  const lost = lostText(saved);
  if (box && lost) setError(box, lost);
  const { values, result, rows, isDownloaded } = saved;
  const { markup = '', code, query } = values;
  if (query !== location.search) return;
  if (rows) {
    const restored = rows.map((row) => restoredRow(row, files));
    showChainBatch(form(), restored, code);
  } else if (saved.isResultLost) {
    if (!isDownloaded) showError(RESULT_LOST);
  } else if (typeof result === 'string') {
    replaceResult(await resultSection(result), { result, isDownloaded }, code);
  } else if (result) {
    const section = await resultSection(markup, restoredFile(result));
    replaceResult(section, { markup, result, isDownloaded }, code);
  }
}

/** Posts the form with a button's value, such as `up 2`, and returns the resulting page. */
const post = async (action: string, signal: AbortSignal): Promise<Document> =>
  readPage(await send(new FormData(form()), action, signal));

/** Does what a button of the form does: runs the chain, or changes its steps. */
const submit = (action: string): Promise<void> =>
  perform(action === 'run' ? run : (signal) => change(action, signal));

/** Performs an action instead of the current one and the pending update, and shows the error if it fails. */
async function perform(action: (signal: AbortSignal) => Promise<void>): Promise<void> {
  controller?.abort();
  // The pending update is unnecessary, because the response to the action contains the latest values.
  clearTimeout(timer);
  refreshing?.abort();
  const current = new AbortController();
  controller = current;
  const { signal } = current;
  try {
    await action(signal);
  } catch (error) {
    const isCancelled = signal.aborted;
    // If a later action is already running, the page must keep showing that action's state.
    if (current === controller) showStopped(isCancelled ? 'Cancelled.' : '');
    if (isUnsaved) refresh();
    if (!isCancelled) showError(errorText(error));
  } finally {
    current.abort();
  }
}

async function change(action: string, signal: AbortSignal): Promise<void> {
  const before = stepIds();
  showPage(await post(action, signal));
  attachResult();
  rememberSteps(true);
  if (action.startsWith('remove'))
    byId('chain-status').append(' Your browser’s Back button restores it.');
  focusAfter(action, before);
}

async function run(signal: AbortSignal): Promise<void> {
  // The hint about a step that does not fit may be older than the values.
  if (isUnsaved && document.querySelector('[data-misfit]')) await refresh();
  if (showsProblem()) return;
  showRunning(signal);
  await (isBatch() ? runEach(signal) : runOnce(signal));
}

/** Runs the chain once for each file. */
async function runEach(signal: AbortSignal): Promise<void> {
  // The chain's code is stored with the result to detect later changes, so it must contain the latest values.
  if (isUnsaved) await refresh();
  await runChainBatch(form(), rowsOf(chosenFiles(), lastRows()), signal);
  showStopped(signal.aborted ? 'Cancelled.' : '');
  showChainQuota(true);
}

/** Runs the chain once on all files. */
async function runOnce(signal: AbortSignal): Promise<void> {
  const before = stepIds();
  const pages = fileBox()?.dataset.pages;
  const files = chosenFiles();
  const whole = await Promise.all(files.map((file) => asArranged(file, pages, signal)));
  const [page, saved] = await runChain(
    form(),
    whole,
    signal,
    showProgress,
    async (response): Promise<[Document, SavedResult]> => {
      const page = await readPage(response);
      const markup = page.getElementById('chain-result')?.outerHTML;
      const file = await takeFiles(page, files.length === 1 ? files[0] : undefined);
      if (!file) return [page, { result: page.getElementById('chain-result')?.outerHTML }];
      return [page, { markup, result: (await savedFile(file)) ?? withoutData(file) }];
    },
  );
  dropResult();
  showPage(page);
  const section = document.getElementById('chain-result');
  if (section) replaceResult(section, saved);
  // The URL is replaced only if it lacks the latest values, so a template's URL is preserved.
  if (isUnsaved) rememberSteps();
  focusAfter('run', before);
}

/** If a run would fail, because the files are wrong or a step does not fit, shows the reason and returns true. */
function showsProblem(): boolean {
  const box = fileBox();
  const misfit = document.querySelector<HTMLElement>('[data-misfit]');
  if (misfit) {
    misfit.focus();
    return true;
  }
  if (!box || linksField(form()).value !== '') return false;
  const problem = problemWith(chosenFiles(), box.dataset);
  if (problem) setError(box, problem, true);
  return problem !== undefined;
}

/**
 * Puts the steps into the page's URL, so that they survive a reload. If the chain is too long for a URL, a reload loses
 * it.
 *
 * @param isEntry whether the change adds an entry to the browser's history
 */
function rememberSteps(isEntry = false): void {
  isUnsaved = false;
  const { saveChain: path } =
    document.querySelector<HTMLElement>('[data-save-chain]')?.dataset ?? {};
  if (path === undefined && stepIds().length > 0) return;
  const address = path ?? location.pathname;
  if (isEntry && address !== location.pathname + location.search)
    history.pushState(opened, '', address);
  else history.replaceState(opened, '', address);
}

let refreshing: AbortController | undefined;

/** Updates the data flow and the code. It does not replace the fields, because the visitor is typing in them. */
async function refresh(): Promise<void> {
  refreshing?.abort();
  refreshing = new AbortController();
  const { signal } = refreshing;
  try {
    const page = await post('show', signal);
    for (const selector of REFRESHED) {
      const fresh = page.querySelectorAll(selector);
      document.querySelectorAll(selector).forEach((element, index) => {
        element.replaceChildren(...(fresh[index] ?? element).childNodes);
      });
    }
    const path = page.querySelector<HTMLElement>('[data-save-chain]')?.dataset.saveChain;
    find(document, '[data-save-chain]').dataset.saveChain = path;
    rememberSteps();
    markIfStale();
    showError('');
  } catch (error) {
    // The message tells the visitor that the code does not match the form until the next update.
    if (!signal.aborted) showError(errorText(error));
  }
}

findSteps();
orderByDragging((from, to) => submit(`move ${from} ${to}`));
showName();
showSavedChains();
showRanges(form());
showFiles();
showChainQuota();
restore();
