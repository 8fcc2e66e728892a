/** Runs a tool from its form without leaving the page, and updates the code examples. */
import { problemWith, unreadableOf } from './parts/chosen-files.ts';
import { errorText, unreadableText } from './parts/error-text.ts';
import { clearError, setError, showGeneralError } from './parts/field-errors.ts';
import {
  action,
  apiFields,
  cancel,
  fields,
  fileBox,
  files,
  form,
  isBatch,
  list,
  parameters,
  submit,
} from './parts/form-elements.ts';
import {
  isChanged,
  isField,
  joinPickers,
  offerZones,
  parametersOf,
  setValue,
  showRanges,
} from './parts/form-fields.ts';
import { begin, clearErrors, end } from './parts/form-response.ts';
import { preserveForm } from './parts/form-work.ts';
import { runInBrowser } from './parts/run-in-browser.ts';
import { runEach, runOnce, showRows } from './parts/run-on-service.ts';
import './parts/open-text-file.ts';
import { pagePicker } from './parts/page-picker.ts';
import { readQuota, showRuns } from './parts/quota.ts';
import { sampleFile } from './parts/sample-file.ts';
import { takeSentFiles } from './parts/send-file.ts';
import { shareInput } from './parts/shared-input.ts';
import { isStale, markStale, restoreResult, result, showWaiting } from './parts/tool-result.ts';

/**
 * The maximum time to wait for the pages of a PDF, in milliseconds. A document that never loads must not block the run.
 */
const PAGES_MS = 5000;
const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const pages = fields.find(({ dataset }) => dataset.control === 'pages');
const picker = pages && pagePicker(pages as HTMLTextAreaElement);
/** Whether the tool runs in the browser. */
const isInBrowser = 'script' in form.dataset;
/** The code examples. Tools without an API have none. */
const calls = document.getElementById('calls');
let previewScript: typeof import('./preview-image.ts') | undefined;
let controller: AbortController | undefined;

showRanges(form);
joinPickers(form);
offerZones(fields);
const updateQuota = () => readQuota(`${action}/left`);
void updateQuota();
result.addEventListener('counted', updateQuota);
if (list) takeSentFiles(list.add);

document.querySelector('[data-sample]')?.addEventListener('click', async () => {
  const { parameters: values = {}, files: names = [] } = JSON.parse(form.dataset.example!);
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name);
    if (isField(field)) setValue(field, [value].flat().join('\n'));
  }
  const drawn = (names as string[]).map((name, index) => sampleFile(form, name, index));
  list?.replace(await Promise.all(drawn));
  form.requestSubmit();
});

// The browser checks the fields before the form is submitted. A missing file is reported first, because the file field
// is above the others.
submit.addEventListener('click', (event) => {
  const problem = fileProblem(files());
  if (!fileBox || !problem) return;
  event.preventDefault();
  setError(fileBox, problem, true);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!isInBrowser) run();
});
form.addEventListener('input', ({ target }) => {
  // The list of files reports its changes itself.
  if (target === fileBox?.querySelector('input')) return;
  // A tool that runs in the page updates its result at once.
  if (!isInBrowser) markStale();
  clearError(target);
  updateCallsSoon();
});
fileBox?.addEventListener('files', () => {
  markStale();
  void showSheets();
  showRuns(isBatch(files()) ? files().length : 1);
  void picker?.show(list?.firstAccepted());
  updateCallsSoon();
});
cancel?.addEventListener('click', () => controller?.abort());
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  const isLine = (event.target as HTMLElement).dataset.control === 'line' && !event.shiftKey;
  if (!isLine && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  form.requestSubmit();
});

let timer: number | undefined;
// The visitor may have entered values before this script ran.
if (fields.some(isChanged)) updateCallsSoon();

if (isInBrowser) {
  void runInBrowser();
  // The page must also work offline once it is loaded.
  void callScript();
}
// Keys are not stored, not even for a reload.
preserveForm(apiFields, list, fileBox, showRows);
// The values of a link replace the values that were restored.
shareInput(form, fields);

/** Updates the code examples after a pause, so that several changes cause one update. */
function updateCallsSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(updateCalls, 100);
}

/** Updates the code examples and the preview. */
function updateCalls(): void {
  const chosen = files();
  void showCall(isBatch(chosen) ? chosen.slice(0, 1) : chosen);
  void preview(chosen);
}

/** Shows the call that the form would send. */
async function showCall(sent: readonly File[]): Promise<void> {
  const script = await callScript();
  script?.showCalls(
    calls!,
    parametersOf(apiFields),
    sent.map(({ name }) => name),
  );
}

/** Returns the script that updates the code examples, or undefined without code examples or while offline. */
async function callScript(): Promise<typeof import('./shown-calls.ts') | undefined> {
  return calls ? import(calls.dataset.script!).catch(() => undefined) : undefined;
}

/** Shows how each chosen image will appear on its page, if the tool turns images into pages. */
async function showSheets(): Promise<void> {
  const { sheets } = form.dataset;
  if (!sheets || !list || !fileBox) return;
  const script: typeof import('./image-sheets.ts') | undefined = await import(sheets).catch(
    () => {},
  );
  script?.showSheets(form, fileBox, list);
}

/** Shows how the chosen image would look with the entered values, if the tool has a preview. */
async function preview(chosen: readonly File[]): Promise<void> {
  const { preview: script, previewWorker = '' } = form.dataset;
  const isHidden = result.dataset.state !== undefined && !isStale();
  // A page whose visitor has not chosen an image yet does not load the script.
  if (!script || isHidden || (chosen.length === 0 && !previewScript)) return;
  previewScript ??= await import(script).catch(() => undefined);
  // The files may have changed while the script was loaded.
  await previewScript?.previewImage(previewWorker, files(), parameters());
}

async function run(): Promise<void> {
  // Ctrl+Enter submits the form even while the button is disabled.
  if (submit.disabled) return;
  clearErrors();
  // The files are copied, because the visitor may choose other files while the tool runs.
  const sent = [...files()];
  const problem = fileProblem(sent);
  if (fileBox && problem) return setError(fileBox, problem, true);
  if (await arePagesWrong(sent)) return;
  const mine = new AbortController();
  controller = mine;
  const { signal } = mine;
  begin(signal);
  try {
    await (isBatch(sent) ? runEach(sent, signal) : runOnce(sent, signal));
  } catch (error) {
    end();
    restoreResult();
    const unreadable = await unreadableOf(sent);
    if (signal.aborted) showWaiting('Cancelled.');
    else if (fileBox && unreadable) setError(fileBox, unreadableText(unreadable.name), true);
    else showGeneralError(errorText(error));
  } finally {
    mine.abort();
  }
}

/** Returns the reason why the files cannot be sent, together with the message about the files that were not added. */
function fileProblem(sent: readonly File[]): string | undefined {
  const problem = fileBox && problemWith(sent, fileBox.dataset);
  return problem ? `${problem} ${fileBox?.dataset.refused ?? ''}`.trim() : undefined;
}

/** If the entered pages are invalid or not in the document, shows the reason and returns true. */
async function arePagesWrong(sent: readonly File[]): Promise<boolean> {
  if (!pages || !picker) return false;
  submit.disabled = true;
  try {
    // The pages of a file that was just chosen may still be loading.
    await Promise.race([picker.show(sent[0]), after(PAGES_MS)]);
  } finally {
    submit.disabled = false;
  }
  const problem = picker.problem();
  if (problem) setError(pages, problem, true);
  return Boolean(problem);
}
