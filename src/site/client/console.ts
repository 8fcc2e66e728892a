/**
 * Sends requests from the pages of the API reference, with the key from the form, and shows the responses. The page's
 * code samples show the entered request.
 */
import { filenameIn } from '../../client/filename-in.ts';
import { sizeText } from '../../core/size-text.ts';
import { formParts } from '../docs/request-code.ts';
import { warningsIn } from '../tool/warning-text.ts';
import { linkBodyFields } from './parts/body-fields.ts';
import { codeBlock } from './parts/code-block.ts';
import { find, make } from './parts/elements.ts';
import { bodyIn, filesIn, keyIn, withParameters } from './parts/entered-request.ts';
import { errorText } from './parts/error-text.ts';
import { showRequests } from './parts/shown-request.ts';

/** The maximum size of a response body that is shown, in bytes. A longer body can only be saved as a file. */
const MAX_SHOWN_BYTES = 100_000;

const form = find<HTMLFormElement>(document, '.console form');
const button = find<HTMLButtonElement>(form, 'button.main');

linkBodyFields(form);
showRequests(form);
// The button is disabled until this script runs. Otherwise the browser would submit the form to this page.
button.disabled = false;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

async function send(): Promise<void> {
  const answer = find(form, '.answer');
  const cancel = find(form, '[data-cancel]');
  if (button.disabled) return;
  const controller = new AbortController();
  const stop = () => controller.abort();
  cancel.addEventListener('click', stop);
  cancel.hidden = false;
  button.disabled = true;
  answer.textContent = 'Sending…';
  try {
    const { url, init } = requestOf();
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

function requestOf(): { url: string; init: RequestInit } {
  const { url, headers } = withParameters(form, form.dataset.path!, false);
  const key = keyIn(form);
  if (key) headers.Authorization = `Bearer ${key}`;
  const init: RequestInit = { method: form.dataset.method, headers };
  const text = bodyIn(form);
  const sent = filesIn(form);
  if (sent?.files.length) return { url, init: { ...init, body: multipart(text ?? '{}', sent) } };
  if (text === undefined) return { url, init };
  headers['Content-Type'] = 'application/json';
  return { url, init: { ...init, body: text } };
}

function multipart(text: string, sent: { part: string; files: File[] }): FormData {
  const body = new FormData();
  for (const [name, value] of formParts(JSON.parse(text))) body.append(name, value);
  for (const file of sent.files) body.append(sent.part, file);
  return body;
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

/** Returns JSON with indentation, and any other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
