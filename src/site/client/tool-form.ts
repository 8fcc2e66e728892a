/** A tool's form: runs the tool without leaving the page, and keeps the code examples up to date. */
import { type CallShape, callCode } from '../tool/call-code.ts';
import type { FieldType } from '../tool/fields.ts';
import { leftText } from '../tool/left-text.ts';
import { numberText } from '../tool/number-text.ts';
import { valueIn } from '../tool/value-in.ts';
import { runBatch } from './parts/batch.ts';
import { withoutDropped } from './parts/dropped-pages.ts';
import { byId, find } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { clearError, setError, showGeneralError } from './parts/field-errors.ts';
import { type FilesEvent, fileList } from './parts/file-list.ts';
import { pagePicker } from './parts/page-picker.ts';
import { type JobState, runJob } from './parts/run-job.ts';
import { sampleFile } from './parts/sample-files.ts';
import { takeSentFile } from './parts/send-file.ts';
import { restoredFile, type SavedWork, savedFile, savedWork, saveWork } from './parts/session.ts';
import {
  bringIntoView,
  clearResult,
  isDemo,
  partsOf,
  progressText,
  readResult,
  result,
  showParts,
  showProgress,
  showResult,
  showRunning,
  showWaiting,
  textFileOf,
} from './parts/tool-result.ts';

const MB = 2 ** 20;

const form = byId<HTMLFormElement>('tool-form');
const action = form.getAttribute('action')!;
const tool = form.dataset.tool!;
const submit = find<HTMLButtonElement>(form, 'button.main');
// The demo on the home page has none of these elements.
const cancel = form.querySelector<HTMLButtonElement>('[data-cancel]');
const fileBox = form.querySelector<HTMLElement>('[data-files]');
const left = document.getElementById('left');
const calls = document.getElementById('calls');

const list = fileBox && fileList(fileBox);
const files = () => list?.files() ?? [];
const fields = [
  ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    '[data-type]',
  ),
];
const pages = fields.find(({ dataset }) => dataset.control === 'pages');
const picker = pages && pagePicker(pages as HTMLTextAreaElement);
let controller: AbortController | undefined;

for (const range of form.querySelectorAll<HTMLInputElement>('input[type="range"]')) {
  const shown = find(range.parentElement!, 'output');
  const showValue = () => {
    shown.textContent = numberText(range.value, 'percent' in range.dataset);
  };
  range.addEventListener('input', showValue);
  showValue();
}

if (left?.querySelector('a')) readLeft(left);
if (list) takeSentFile((file) => list.add([file]));

document.querySelector('[data-sample]')?.addEventListener('click', async () => {
  const { parameters = {}, files: names = [] } = JSON.parse(form.dataset.example!);
  for (const [name, value] of Object.entries(parameters)) {
    const field = form.elements.namedItem(name);
    if (isField(field)) setValue(field, [value].flat().join('\n'));
  }
  list?.replace(await Promise.all((names as string[]).map(sampleFile)));
  form.requestSubmit();
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  run();
});
form.addEventListener('input', ({ target }) => {
  clearError(target);
  updateCallsSoon();
});
fileBox?.addEventListener('files', (event) => {
  const { max } = fileBox.dataset;
  const taken = max === '1' ? 'file was' : `${max} files were`;
  setError(fileBox, (event as FilesEvent).detail ? `Only the first ${taken} taken.` : '');
  picker?.show(files()[0]);
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
// Reads what the visitor entered before this script ran.
if (fields.some(isChanged)) updateCallsSoon();

if (!isDemo) {
  addEventListener('pagehide', save);
  restore();
}

/** Runs once after several changes in a row. */
function updateCallsSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(updateCalls, 100);
}

/** Shows the call that the form would make. */
function updateCalls(): void {
  if (!calls) return;
  const chosen = files().map(({ name }) => name);
  const names = chosen.length > 0 ? chosen : (JSON.parse(calls.dataset.files!) as string[]);
  const shape = JSON.parse(calls.dataset.call!) as CallShape;
  const sent = isBatch(files()) ? names.slice(0, 1) : names;
  const positions = calls.querySelectorAll('code');
  for (const [index, { code }] of callCode(shape, parameters(), sent).entries())
    positions[index]!.textContent = code;
}

function isField(element: unknown): element is (typeof fields)[number] {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

function setValue(field: (typeof fields)[number], value: string): void {
  if (field instanceof HTMLInputElement && field.type === 'checkbox')
    field.checked = value === 'true';
  else field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function valueOfField(field: (typeof fields)[number]): string {
  const isCheckbox = field instanceof HTMLInputElement && field.type === 'checkbox';
  return isCheckbox ? String(field.checked) : field.value;
}

function isChanged(field: (typeof fields)[number]): boolean {
  if (field instanceof HTMLSelectElement) return false;
  if (field instanceof HTMLInputElement && field.type === 'checkbox')
    return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** What the page would lose in a reload. Files are read when they change, because leaving the page does not wait. */
let savedFiles: SavedWork['files'] = [];
let savedResult: SavedWork['result'];

function save(): void {
  const values = Object.fromEntries(fields.map((field) => [field.name, valueOfField(field)]));
  saveWork({ values, files: savedFiles, result: savedResult });
}

fileBox?.addEventListener('files', async () => {
  const read = await Promise.all(files().map(savedFile)).catch(() => []);
  savedFiles = read.flatMap((file) => file ?? []);
});

async function restore(): Promise<void> {
  const saved = savedWork();
  if (!saved) return;
  for (const field of fields) {
    const value = saved.values[field.name];
    if (value !== undefined && value !== valueOfField(field)) setValue(field, value);
  }
  const restored = saved.files.map(restoredFile);
  if (restored.length > 0) list?.replace(restored);
  if (saved.result === undefined) return;
  savedResult = saved.result;
  const shown = typeof saved.result === 'string' ? saved.result : restoredFile(saved.result);
  showParts(await partsOf(shown, restored), restored);
}

async function run(): Promise<void> {
  // Ctrl+Enter submits although the button is disabled.
  if (submit.disabled) return;
  for (const field of form.querySelectorAll('[aria-invalid]')) clearError(field);
  byId('form-error').hidden = true;
  // The visitor may choose other files while the tool runs.
  const sent = [...files()];
  const problem = problemWith(sent);
  if (fileBox && problem) return setError(fileBox, problem, true);
  const wrongPages = picker?.problem();
  if (pages && wrongPages) return setError(pages, wrongPages, true);
  const mine = new AbortController();
  controller = mine;
  const { signal } = mine;
  savedResult = undefined;
  begin(signal);
  try {
    if (isBatch(sent)) await runAll(sent, signal);
    else {
      const whole = await Promise.all(sent.map((file) => withoutDropped(file, signal)));
      await show(await call(whole, signal, showProgress), whole);
    }
  } catch (error) {
    end();
    clearResult();
    const unreadable = await unreadableOf(sent);
    if (signal.aborted) showWaiting('Cancelled.');
    else if (fileBox && unreadable)
      setError(
        fileBox,
        `The file ${unreadable.name} cannot be read. It is a folder, or it was moved or changed. Choose it again.`,
        true,
      );
    else showGeneralError(`The service is not reachable: ${errorText(error)}.`);
  } finally {
    mine.abort();
  }
}

/** Whether each file is sent in a call of its own. */
const isBatch = (sent: readonly File[]): boolean =>
  sent.length > 1 && fileBox !== null && 'batch' in fileBox.dataset;

async function runAll(sent: readonly File[], signal: AbortSignal): Promise<void> {
  const box = document.createElement('div');
  box.className = 'stack';
  showParts([box], sent);
  await runBatch(sent, box, signal, async (file, tell) => {
    const started = Date.now();
    const stopped = new AbortController();
    // A retry comes after the run, whose signal is aborted then.
    if (!signal.aborted) signal.addEventListener('abort', () => stopped.abort());
    const answer = await call([file], stopped.signal, (state) =>
      tell(progressText(state, started)),
    );
    showLeft(answer.headers);
    if (!answer.ok) throw new Error((await problemIn(answer)).error);
    const made = await readResult(answer, tool);
    return typeof made === 'string' ? textFileOf(made, file) : made;
  });
  end();
  bringIntoView();
}

function call(
  sent: readonly File[],
  signal: AbortSignal,
  tell: (state: JobState) => void,
): Promise<Response> {
  const body = new FormData();
  body.set('tool', tool);
  body.set('parameters', JSON.stringify(parameters()));
  for (const file of sent) body.append('files', file);
  return 'long' in form.dataset
    ? runJob(action, body, signal, tell)
    : fetch(`${action}/run`, { method: 'POST', body, signal });
}

/** Why the service would refuse these files, before they are sent. */
function problemWith(sent: readonly File[]): string | undefined {
  if (!fileBox) return undefined;
  const min = Number(fileBox.dataset.min);
  if (sent.length < min) return min > 1 ? `Choose at least ${min} files.` : 'Choose a file first.';
  const maxBytes = Number(fileBox.dataset.maxBytes);
  const large = sent.find(({ size }) => size > maxBytes);
  if (large) return `The file ${large.name} is larger than the limit of ${maxBytes / MB} MB.`;
  // NaN, which no size exceeds, if the tool has no limit for all files together.
  const maxTogether = Number(fileBox.dataset.maxTogether);
  if (sent.reduce((sum, { size }) => sum + size, 0) > maxTogether)
    return `Together the files are larger than the limit of ${maxTogether / MB} MB.`;
  return undefined;
}

/** Returns the first file that the browser cannot read. */
async function unreadableOf(sent: readonly File[]): Promise<File | undefined> {
  for (const file of sent) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return file;
    }
  }
  return undefined;
}

function begin(signal: AbortSignal): void {
  // A disabled button loses the focus.
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

/** Reads the remaining quota, which does not consume any. A run that finishes first shows a newer one. */
async function readLeft(position: HTMLElement): Promise<void> {
  const before = position.textContent;
  try {
    const answer = await fetch(`${action}/left`, { headers: { Accept: 'text/plain' } });
    if (answer.ok && position.textContent === before) position.textContent = await answer.text();
  } catch {
    // The link to the quota stays.
  }
}

function showLeft(headers: Headers): void {
  const text = leftText(headers);
  if (!text || !left) return;
  left.ariaLive = 'polite';
  left.textContent = text;
}

function parameters(): Record<string, unknown> {
  const said = fields.map((field) => {
    const { name, value, dataset, required } = field;
    const isChecked = field instanceof HTMLInputElement && field.checked;
    const type = dataset.type as FieldType;
    const standard = dataset.standard ?? '';
    return [name, valueIn({ type, standard, required }, value, isChecked)] as const;
  });
  return Object.fromEntries(said.filter(([, value]) => value !== undefined));
}

async function show(response: Response, sent: readonly File[]): Promise<void> {
  showLeft(response.headers);
  if (!response.ok) {
    const problem = await problemIn(response);
    end();
    clearResult();
    return showProblem(problem);
  }
  const made = await readResult(response, tool);
  const parts = await partsOf(made, sent);
  end();
  showResult(parts, response.headers.get('X-Tool-Warnings'), sent);
  savedResult = typeof made === 'string' ? made : ((await savedFile(made)) ?? undefined);
}

interface Problem {
  error: string;
  param?: string;
}

async function problemIn(response: Response): Promise<Problem> {
  const isJson = response.headers.get('Content-Type')?.includes('json');
  return isJson ? response.json() : { error: `The service answered ${response.status}.` };
}

function showProblem({ error, param = '' }: Problem): void {
  const field = param.startsWith('file') ? fileBox : form.elements.namedItem(param);
  if (field instanceof HTMLElement) setError(field, error, true);
  else showGeneralError(error);
}
