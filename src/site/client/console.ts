/** Sends requests from the pages of the API reference, with the key from the form, and shows the responses. */
import { filenameIn } from '../../client/filename-in.ts';
import { sizeText } from '../tool/size-text.ts';
import { warningsIn } from '../tool/warning-text.ts';
import { codeBlock } from './parts/code-block.ts';
import { byId, find, make } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';

/** The maximum size of a response body that is shown, in bytes. A longer body can only be saved as a file. */
const MAX_SHOWN_BYTES = 100_000;

const key = byId<HTMLInputElement>('api-key');

// The buttons are disabled until this script runs. Otherwise the browser would submit the form to this page.
for (const send of document.querySelectorAll<HTMLButtonElement>('.console button.main'))
  send.disabled = false;

document.addEventListener('submit', (event) => {
  const form = (event.target as Element).closest<HTMLFormElement>('.console form');
  if (!form) return;
  event.preventDefault();
  send(form);
});

async function send(form: HTMLFormElement): Promise<void> {
  const answer = find(form, '.answer');
  const button = find<HTMLButtonElement>(form, 'button.main');
  const cancel = find(form, '[data-cancel]');
  if (button.disabled) return;
  const controller = new AbortController();
  const stop = () => controller.abort();
  cancel.addEventListener('click', stop);
  cancel.hidden = false;
  button.disabled = true;
  answer.textContent = 'Sending…';
  try {
    const { url, init } = requestOf(form);
    const started = performance.now();
    const response = await fetch(url, { ...init, signal: controller.signal });
    const body = await response.blob();
    const duration = Math.round(performance.now() - started);
    answer.replaceChildren(...(await shown(response, body, duration)));
  } catch (error) {
    answer.textContent = controller.signal.aborted ? 'Cancelled.' : errorText(error);
  } finally {
    cancel.removeEventListener('click', stop);
    cancel.hidden = true;
    button.disabled = false;
  }
}

function requestOf(form: HTMLFormElement): { url: string; init: RequestInit } {
  let path = form.dataset.path!;
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const { name, value, dataset } of form.querySelectorAll<HTMLInputElement>('[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  if (key.value.trim()) headers.set('Authorization', `Bearer ${key.value.trim()}`);
  const url = query.size > 0 ? `${path}?${query}` : path;
  const init: RequestInit = { method: form.dataset.method, headers };
  const text = form.querySelector<HTMLTextAreaElement>('[name="body"]')?.value;
  const input = form.querySelector<HTMLInputElement>('[data-part]');
  if (input?.files?.length) return { url, init: { ...init, body: multipart(text ?? '{}', input) } };
  if (text === undefined) return { url, init };
  headers.set('Content-Type', 'application/json');
  return { url, init: { ...init, body: text } };
}

function multipart(text: string, { dataset, files }: HTMLInputElement): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fieldsIn(text)))
    body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  for (const file of files!) body.append(dataset.part!, file);
  return body;
}

function fieldsIn(text: string): object {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The body is not JSON: ${errorText(error)}`);
  }
}

async function shown(response: Response, body: Blob, duration: number): Promise<HTMLElement[]> {
  const status = make('span', {
    className: response.ok ? 'chip good' : 'chip bad',
    textContent: `${response.status} ${response.statusText}`.trim(),
  });
  const line = make(
    'p',
    { className: 'cluster' },
    status,
    ` ${duration} ms, ${sizeText(body.size)}`,
  );
  const warnings = warningsIn(response.headers.get('X-Tool-Warnings')).map((text) =>
    make('p', { className: 'notice warn small', textContent: text }),
  );
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const details = make(
    'details',
    {},
    make('summary', { textContent: 'Headers' }),
    codeBlock(headers, 'the response headers'),
  );
  if (body.size === 0) return [line, ...warnings, details];
  if (!/json|text|xml/.test(body.type) || body.size > MAX_SHOWN_BYTES)
    return [line, ...warnings, saveLink(response, body), details];
  return [line, ...warnings, codeBlock(indented(await body.text()), 'the response'), details];
}

function saveLink({ headers }: Response, body: Blob): HTMLElement {
  const download = filenameIn(headers) ?? 'response';
  return make('a', {
    href: URL.createObjectURL(body),
    download,
    className: 'button',
    textContent: `Save ${download}`,
  });
}

/** Returns a JSON text with indentation, and any other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
