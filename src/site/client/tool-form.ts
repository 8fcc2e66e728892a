/** A tool's form: runs the tool without leaving the page, and keeps the code examples up to date. */
import { type CallShape, callCode } from '../tool/call-code.ts';
import type { FieldType } from '../tool/fields.ts';
import { leftText } from '../tool/left-text.ts';
import { valueIn } from '../tool/value-in.ts';
import { byId, find } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { clearError, setError, showGeneralError } from './parts/field-errors.ts';
import { type FilesEvent, fileList } from './parts/file-list.ts';
import { runJob } from './parts/run-job.ts';
import { takeSentFile } from './parts/send-file.ts';
import {
  clearResult,
  readResult,
  result,
  showProgress,
  showResult,
  showRunning,
  showWaiting,
} from './parts/tool-result.ts';

const MB = 2 ** 20;

const form = byId<HTMLFormElement>('tool-form');
const action = form.getAttribute('action')!;
const submit = find<HTMLButtonElement>(form, 'button.main');
// The demo on the home page has none of these elements.
const cancel = form.querySelector<HTMLButtonElement>('[data-cancel]');
const fileBox = form.querySelector<HTMLElement>('[data-files]');
const left = document.getElementById('left');
const calls = document.getElementById('calls');

const list = fileBox && fileList(fileBox);
const files = () => list?.files() ?? [];
if (list) takeSentFile((file) => list.add([file]));
const fields = [
  ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    '[data-type]',
  ),
];
let controller: AbortController | undefined;

for (const range of form.querySelectorAll<HTMLInputElement>('input[type="range"]')) {
  const shown = find(range.parentElement!, 'output');
  const showValue = () => {
    shown.textContent = range.value;
  };
  range.addEventListener('input', showValue);
  showValue();
}

if (left?.querySelector('a')) readLeft(left);

form.querySelector('[data-fill]')?.addEventListener('click', () => {
  for (const [name, value] of Object.entries(JSON.parse(form.dataset.example!))) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === 'checkbox')
      field.checked = value === true;
    else (field as HTMLInputElement).value = [value].flat().join('\n');
    (field as HTMLElement).dispatchEvent(new Event('input', { bubbles: true }));
  }
  submit.focus();
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
  updateCallsSoon();
});
cancel?.addEventListener('click', () => controller?.abort());
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

let timer: number | undefined;
// Reads what the visitor entered before this script ran.
if (fields.some(isChanged)) updateCallsSoon();

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
  const positions = calls.querySelectorAll('code');
  for (const [index, { code }] of callCode(shape, parameters(), names).entries())
    positions[index]!.textContent = code;
}

function isChanged(field: (typeof fields)[number]): boolean {
  if (field instanceof HTMLSelectElement) return false;
  if (field instanceof HTMLInputElement && field.type === 'checkbox')
    return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
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
  const mine = new AbortController();
  controller = mine;
  const { signal } = mine;
  begin(signal);
  try {
    await show(await call(sent, signal), sent);
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

function call(sent: readonly File[], signal: AbortSignal): Promise<Response> {
  const body = new FormData();
  body.set('tool', form.dataset.tool!);
  body.set('parameters', JSON.stringify(parameters()));
  for (const file of sent) body.append('files', file);
  return 'long' in form.dataset
    ? runJob(action, body, signal, showProgress)
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
    const initial = dataset.initial ?? '';
    return [name, valueIn({ type, initial, required }, value, isChecked)] as const;
  });
  return Object.fromEntries(said.filter(([, value]) => value !== undefined));
}

async function show(response: Response, sent: readonly File[]): Promise<void> {
  showLeft(response.headers);
  if (!response.ok) {
    const isJson = response.headers.get('Content-Type')?.includes('json');
    const problem = isJson
      ? await response.json()
      : { error: `The service answered ${response.status}.` };
    end();
    clearResult();
    return showProblem(problem);
  }
  const parts = await readResult(response, sent, form.dataset.tool!);
  end();
  showResult(parts, response.headers.get('X-Tool-Warnings'), sent);
}

function showProblem({ error, param = '' }: { error: string; param?: string }): void {
  const field = param.startsWith('file') ? fileBox : form.elements.namedItem(param);
  if (field instanceof HTMLElement) setError(field, error, true);
  else showGeneralError(error);
}
