/** A tool's form: sent without leaving the page, cancelled, its result shown, its errors put beside their fields. */
import { fileList } from './file-list.js';
import { fileResult } from './file-result.js';
import { revealSaves } from './site.js';

const form = document.getElementById('tool-form');
const result = document.getElementById('result');
const output = result.querySelector('.output');
const running = result.querySelector('[data-running]');
/** The home page shows the picture alone. */
const isPlain = 'plain' in result.dataset;
const general = document.getElementById('form-error');
const submit = form.querySelector('button.main');
const cancel = form.querySelector('[data-cancel]');
const fill = form.querySelector('[data-fill]');
const fileBox = form.querySelector('[data-files]');

const files = fileBox ? fileList(fileBox) : () => [];
let controller = null;

for (const range of form.querySelectorAll('input[type="range"]')) {
  const shown = range.parentElement.querySelector('output');
  range.addEventListener('input', () => {
    shown.textContent = range.value;
  });
}

if (fill) {
  fill.hidden = false;
  fill.addEventListener('click', () => {
    for (const [name, value] of Object.entries(JSON.parse(form.dataset.example))) {
      const field = form.elements[name];
      if (field.type === 'checkbox') field.checked = value;
      else field.value = [value].flat().join('\n');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    submit.focus();
  });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  run();
});
form.addEventListener('input', (event) => clearError(event.target));
form.addEventListener('files', () => setError(fileBox, ''));
cancel?.addEventListener('click', () => controller?.abort());
// As everywhere where a text has more than a line.
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

async function run() {
  for (const field of form.querySelectorAll('[aria-invalid]')) clearError(field);
  general.hidden = true;
  const least = Number(fileBox?.dataset.min ?? 0);
  if (files().length < least) {
    return setError(
      fileBox,
      least > 1 ? `Choose at least ${least} files.` : 'Choose a file first.',
      true,
    );
  }
  controller = new AbortController();
  const { signal } = controller;
  begin(signal);
  try {
    const response = await fetch(`${form.getAttribute('action')}/run`, {
      method: 'POST',
      body: callBody(),
      signal,
    });
    await show(response);
  } catch (error) {
    end();
    delete result.dataset.state;
    if (!signal.aborted)
      showProblem({ error: `The service could not be reached: ${error.message}.` });
  } finally {
    controller.abort();
  }
}

function begin(signal) {
  if (!isPlain) output.replaceChildren();
  result.dataset.state = 'running';
  result.setAttribute('aria-busy', 'true');
  submit.disabled = true;
  if (isPlain) return;
  cancel.hidden = false;
  const started = Date.now();
  running.textContent = 'Working…';
  const clock = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    if (seconds > 2) running.textContent = `Working… ${seconds} s`;
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
}

function end() {
  result.removeAttribute('aria-busy');
  submit.disabled = false;
  if (!isPlain) cancel.hidden = true;
}

/** What read-form.ts does on the server where there are no scripts. */
function callBody() {
  const parameters = {};
  for (const field of form.querySelectorAll('[data-type]')) {
    const { name, value, checked, dataset, required } = field;
    if (dataset.type === 'boolean') {
      if (checked) parameters[name] = true;
    } else if (value === '' && !required) continue;
    else if (dataset.type === 'number')
      parameters[name] = Number.isNaN(Number(value)) ? value : Number(value);
    else if (dataset.type === 'lines') {
      parameters[name] = value
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
    } else parameters[name] = value;
  }
  const body = new FormData();
  body.set('tool', form.dataset.tool);
  body.set('parameters', JSON.stringify(parameters));
  for (const file of files()) body.append('files', file);
  return body;
}

async function show(response) {
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok) {
    const problem = type.includes('json')
      ? await response.json()
      : { error: `The service answered ${response.status}.` };
    end();
    delete result.dataset.state;
    return showProblem(problem);
  }
  const warnings = response.headers.get('X-Tool-Warnings');
  let parts;
  if (type.startsWith('text/html')) {
    // Made by the service's own templates, in which every value is escaped.
    parts = [
      ...new DOMParser().parseFromString(await response.text(), 'text/html').body.childNodes,
    ];
  } else {
    const blob = await response.blob();
    const before = files().length === 1 ? files()[0] : undefined;
    parts = await fileResult(blob, nameIn(response), before, response.headers);
  }
  end();
  result.dataset.state = 'done';
  if (isPlain)
    return output.replaceChildren(
      parts.find((part) => part.querySelector?.('img')).querySelector('img'),
    );
  output.replaceChildren(...parts);
  if (warnings) {
    const box = document.createElement('p');
    box.className = 'notice warn small';
    box.textContent = decoded(warnings);
    output.prepend(box);
  }
  revealSaves(output);
  document.getElementById('result-title').focus({ preventScroll: true });
  result.scrollIntoView({ block: 'nearest' });
}

/** Characters beyond ASCII come escaped in headers. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nameIn(response) {
  const header = response.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(header)?.[1] ?? 'result';
}

function showProblem({ error, param, retryAfter }) {
  const wait =
    retryAfter && retryAfter > 60 ? ` Try again in ${Math.ceil(retryAfter / 60)} minutes.` : '';
  const field = /^file/.test(param ?? '') ? fileBox : form.elements[param];
  if (field) return setError(field, error + wait, true);
  general.textContent = error + wait;
  general.hidden = false;
  general.scrollIntoView({ block: 'nearest' });
}

function setError(field, message, focus = false) {
  const control = field === fileBox ? field.querySelector('input') : field;
  const place = document.getElementById(`${control.id}-error`);
  place.textContent = message;
  place.hidden = message === '';
  if (message === '') control.removeAttribute('aria-invalid');
  else control.setAttribute('aria-invalid', 'true');
  if (focus) control.focus();
}

function clearError(field) {
  if (field.id && document.getElementById(`${field.id}-error`))
    setError(field.closest('[data-files]') ?? field, '');
}
