/** Runs a tool from its form without leaving the page, and updates the code examples. */
import type { JobState } from '../tool/progress-text.ts';
import { callForm } from './parts/api.ts';
import { asArranged } from './parts/arranged-pages.ts';
import { asTyped } from './parts/as-typed.ts';
import { type Batch, showBatch } from './parts/batch.ts';
import { type BatchRow, rowOf } from './parts/batch-row.ts';
import { problemWith, unreadableOf } from './parts/chosen-files.ts';
import { byId, find, make } from './parts/elements.ts';
import { errorText, ResponseError } from './parts/error-text.ts';
import { clearError, setError, showGeneralError, showInvalid } from './parts/field-errors.ts';
import { fileList } from './parts/file-list.ts';
import { forgetFiles } from './parts/file-result.ts';
import {
  isChanged,
  isField,
  offerZones,
  parametersOf,
  setValue,
  showRanges,
} from './parts/form-fields.ts';
import { finishedRows, keepBatch, keepResult, keepWork } from './parts/form-work.ts';
import { pagePicker } from './parts/page-picker.ts';
import { readLeft, showLeft, showRuns } from './parts/quota.ts';
import { loadTool, type RunHere } from './parts/run-here.ts';
import { runJob } from './parts/run-job.ts';
import { sampleFile } from './parts/sample-file.ts';
import { takeSentFiles } from './parts/send-file.ts';
import { showCalls } from './parts/shown-calls.ts';
import { textFileOf } from './parts/text-file.ts';
import {
  bringIntoView,
  clearResult,
  markStale,
  partsOf,
  readResult,
  restoreResult,
  result,
  showParts,
  showProgress,
  showResult,
  showRunning,
  showWaiting,
  takers,
} from './parts/tool-result.ts';

/**
 * The maximum time to wait for the pages of a PDF, in milliseconds. A document that never loads must not block the run.
 */
const PAGES_MS = 5000;
const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const form = byId<HTMLFormElement>('tool-form');
const action = form.getAttribute('action')!;
const tool = form.dataset.tool!;
const submit = find<HTMLButtonElement>(form, 'button.main');
// A tool that runs in the page cannot be cancelled.
const cancel = form.querySelector<HTMLButtonElement>('[data-cancel]');
const fileBox = form.querySelector<HTMLElement>('[data-files]');

const list = fileBox && fileList(fileBox);
const files = () => list?.files() ?? [];
const parameters = () => parametersOf(fields);
const fields = [
  ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    '[data-type]',
  ),
];
const pages = fields.find(({ dataset }) => dataset.control === 'pages');
const picker = pages && pagePicker(pages as HTMLTextAreaElement);
let controller: AbortController | undefined;
/** Whether the tool runs in the browser. `here` is set when the tool has loaded. */
const isHere = 'script' in form.dataset;
let here: ReturnType<typeof asTyped> | undefined;

showRanges(form);
offerZones(fields);
const updateLeft = () => readLeft(`${action}/left`);
void updateLeft();
result.addEventListener('counted', updateLeft);
if (list) takeSentFiles(list.add);

document.querySelector('[data-sample]')?.addEventListener('click', async () => {
  const { parameters = {}, files: names = [] } = JSON.parse(form.dataset.example!);
  for (const [name, value] of Object.entries(parameters)) {
    const field = form.elements.namedItem(name);
    if (isField(field)) setValue(field, [value].flat().join('\n'));
  }
  const drawn = (names as string[]).map((name, index) => sampleFile(form, name, index));
  list?.replace(await Promise.all(drawn));
  form.requestSubmit();
});

// The browser checks the fields before the form is submitted. A missing file comes first, because it is above the fields.
submit.addEventListener('click', (event) => {
  const problem = fileBox && problemWith(files(), fileBox.dataset);
  if (!problem) return;
  event.preventDefault();
  setError(fileBox, problem, true);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (isHere) here?.now();
  else run();
});
form.addEventListener('input', ({ target }) => {
  // A tool that runs in the page updates its result at once.
  if (!isHere) markStale();
  clearError(target);
  updateCallsSoon();
  here?.soon();
});
fileBox?.addEventListener('files', () => {
  markStale();
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

if (isHere) {
  form.addEventListener('input', toggleExample);
  toggleExample();
  runHere();
}
keepWork(fields, list, fileBox, showRows);

function exampleParameters(): Record<string, unknown> {
  return JSON.parse(form.dataset.example!).parameters ?? {};
}

/** Hides the example while the form contains input, because visitors could mistake the example for the result. */
function toggleExample(): void {
  const example = document.querySelector<HTMLElement>('.example');
  if (example) example.hidden = fields.some(isChanged);
}

/** Loads the tool into the page. The tool then runs whenever a field changes. */
async function runHere(): Promise<void> {
  const { worker, script } = form.dataset;
  let compute: RunHere;
  try {
    compute = await loadTool(worker!, script!, exampleParameters());
  } catch (error) {
    return showGeneralError(errorText(error));
  }
  const runs = asTyped(
    async () => (form.checkValidity() ? compute(parameters()) : undefined),
    async (response, isRequested) => {
      clearErrors();
      if (response) return show(response, [], isRequested);
      clearResult();
      showInvalid(fields);
    },
  );
  here = runs;
  submit.disabled = false;
  const example = document.querySelector('[data-example-result]');
  if (example) {
    const made = await compute({ ...parameters(), ...exampleParameters() });
    if (made.ok) example.replaceChildren(...(await partsOf(await readResult(made, tool, []), [])));
  }
  if ('first' in form.dataset || fields.some(isChanged)) runs.soon();
}

/** Updates the code examples after a pause, so that several changes cause one update. */
function updateCallsSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(updateCalls, 100);
}

/** Shows the call that the form would send. */
function updateCalls(): void {
  const chosen = files();
  const sent = isBatch(chosen) ? chosen.slice(0, 1) : chosen;
  showCalls(
    parameters(),
    sent.map(({ name }) => name),
  );
}

async function run(): Promise<void> {
  // Ctrl+Enter submits the form even while the button is disabled.
  if (submit.disabled) return;
  clearErrors();
  // The files are copied, because the visitor may choose other files while the tool runs.
  const sent = [...files()];
  const problem = fileBox && problemWith(sent, fileBox.dataset);
  if (problem) return setError(fileBox, problem, true);
  if (pages && picker) {
    submit.disabled = true;
    try {
      // The pages of a file that was just chosen may still be loading.
      await Promise.race([picker.show(sent[0]), after(PAGES_MS)]);
    } finally {
      submit.disabled = false;
    }
    const wrongPages = picker.problem();
    if (wrongPages) return setError(pages, wrongPages, true);
  }
  const mine = new AbortController();
  controller = mine;
  const { signal } = mine;
  begin(signal);
  try {
    if (isBatch(sent)) {
      await showRows(rowsOf(sent)).run(signal);
      // The files are sent at the same time, so the last response may not have the newest quota.
      void updateLeft();
      end();
      bringIntoView();
    } else {
      const rotator = fileBox?.dataset.pages;
      const whole = await Promise.all(sent.map((file) => asArranged(file, rotator, signal)));
      await show(await call(whole, signal, showProgress), whole);
    }
  } catch (error) {
    end();
    restoreResult();
    const unreadable = await unreadableOf(sent);
    if (signal.aborted) showWaiting('Cancelled.');
    else if (fileBox && unreadable)
      setError(
        fileBox,
        `The file ${unreadable.name} cannot be read: it is a folder, or it was moved or changed. Choose the file again.`,
        true,
      );
    else showGeneralError(errorText(error));
  } finally {
    mine.abort();
  }
}

function clearErrors(): void {
  for (const field of form.querySelectorAll('[aria-invalid]')) clearError(field);
  byId('form-error').hidden = true;
}

/** Whether each file is sent in a separate call. */
function isBatch(sent: readonly File[]): boolean {
  return sent.length > 1 && fileBox !== null && 'batch' in fileBox.dataset;
}

/** The parameters of the shown batch, as JSON. */
let batchParameters = '';

/** Returns the rows of a batch. If only some files of the same batch have a result, they keep it and do not run again. */
function rowsOf(sent: readonly File[]): BatchRow[] {
  const finished = batchParameters === JSON.stringify(parameters()) ? finishedRows() : [];
  const rows = sent.map((file) => finished.find((row) => row.file === file) ?? rowOf(file));
  return rows.every(({ result: made }) => made) ? sent.map(rowOf) : rows;
}

/** Shows the rows of a batch. */
function showRows(rows: readonly BatchRow[]): Batch {
  forgetFiles();
  batchParameters = JSON.stringify(parameters());
  const box = make('div', { className: 'stack' });
  showParts([box], []);
  const zipName = `${tool.replaceAll('_', '-')}-results.zip`;
  const batch = showBatch(rows, box, zipName, takers(), async (file, ofFile, onProgress) => {
    const answer = await call([file], ofFile, onProgress);
    showLeft(answer.headers);
    if (!answer.ok) throw new ResponseError((await problemIn(answer)).error, answer.status);
    const made = await readResult(answer, tool, [file]);
    return typeof made === 'string' ? textFileOf(made, file) : made;
  });
  keepBatch(batch);
  return batch;
}

function call(
  sent: readonly File[],
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
): Promise<Response> {
  const body = callForm(tool, sent, parameters());
  return 'long' in form.dataset
    ? runJob(action, body, signal, onProgress)
    : fetch(`${action}/run`, { method: 'POST', body, signal });
}

function begin(signal: AbortSignal): void {
  // A button loses the focus when it is disabled.
  const hadFocus = document.activeElement === submit;
  submit.disabled = true;
  if (cancel) {
    cancel.hidden = false;
    if (hadFocus) cancel.focus();
  }
  showRunning(signal);
}

function end(): void {
  result.removeAttribute('aria-busy');
  submit.disabled = false;
  if ([document.body, cancel].includes(document.activeElement as HTMLButtonElement))
    submit.focus({ preventScroll: true });
  if (cancel) cancel.hidden = true;
}

/** @param isRequested whether the visitor requested the result, so that the page scrolls to it */
async function show(response: Response, sent: readonly File[], isRequested = true): Promise<void> {
  showLeft(response.headers);
  if (!response.ok) {
    const problem = await problemIn(response);
    if (isRequested) {
      end();
      restoreResult();
    } else clearResult();
    return showProblem(problem, isRequested);
  }
  const made = await readResult(response, tool, sent);
  if (isRequested) forgetFiles();
  const parts = await partsOf(made, sent);
  const warnings = response.headers.get('X-Tool-Warnings') ?? undefined;
  if (isRequested) end();
  showResult(parts, warnings, sent, isRequested);
  await keepResult(made, warnings);
}

interface Problem {
  error: string;
  param?: string;
}

async function problemIn(response: Response): Promise<Problem> {
  const isJson = response.headers.get('Content-Type')?.includes('json');
  return isJson ? response.json() : { error: `The service answered ${response.status}.` };
}

function showProblem({ error, param = '' }: Problem, isRequested: boolean): void {
  const field = param.startsWith('file') ? fileBox : form.elements.namedItem(param);
  if (field instanceof HTMLElement) setError(field, error, isRequested);
  else showGeneralError(error);
}
