/** A tool's form: sent without leaving the page, cancelled, its result shown, its errors put beside their fields. */
import { leftText, valueIn, warningText } from './both-sides.js';
import { callCode, pythonLiteral, quoted } from './call-code.js';
import { fileList } from './file-list.js';
import { fileResult, forgetFiles } from './file-result.js';
import { runJob } from './job.js';
import { reveal } from './site.js';

const form = document.getElementById('tool-form');
const result = document.getElementById('result');
const output = result.querySelector('.output');
const running = result.querySelector('[data-running]');
const took = result.querySelector('[data-took]');
const bar = result.querySelector('progress');
const left = document.getElementById('left');
const calls = document.getElementById('calls');
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
  const tellValue = () => {
    shown.textContent = range.value;
  };
  range.addEventListener('input', tellValue);
  tellValue();
}

if (left?.querySelector('a')) readLeft();

if (fill) {
  fill.addEventListener('click', () => {
    for (const [name, value] of Object.entries(JSON.parse(form.dataset.example))) {
      const field = form.elements.namedItem(name);
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
form.addEventListener('input', (event) => {
  clearError(event.target);
  followSoon();
});
form.addEventListener('files', ({ detail: areTooMany }) => {
  const { max } = fileBox.dataset;
  const taken = max === '1' ? 'file was' : `${max} files were`;
  setError(fileBox, areTooMany ? `Only the first ${taken} taken.` : '');
  followSoon();
});
cancel?.addEventListener('click', () => controller?.abort());
// As everywhere where a text has more than a line.
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

let following;
// What was entered before this script was there.
if ([...form.querySelectorAll('[data-type]')].some(isChanged)) followSoon();

/** Once for what is typed or filled in together. */
function followSoon() {
  clearTimeout(following);
  following = setTimeout(follow, 100);
}

/** The call from code becomes the one that the form would send. */
function follow() {
  if (!calls) return;
  const chosen = files().map(({ name }) => name);
  const names = chosen.length > 0 ? chosen : JSON.parse(calls.dataset.files);
  const shape = JSON.parse(calls.dataset.call);
  const written = callCode(shape, parametersNow(), names, { quoted, pythonLiteral });
  const places = calls.querySelectorAll('code');
  for (const [index, { code }] of written.entries()) places[index].textContent = code;
}

function isChanged(field) {
  const { type, checked, defaultChecked, value, defaultValue } = field;
  if (type === 'checkbox') return checked !== defaultChecked;
  return defaultValue !== undefined && value !== defaultValue;
}

async function run() {
  // Also by Ctrl+Enter.
  if (submit.disabled) return;
  for (const field of form.querySelectorAll('[aria-invalid]')) clearError(field);
  general.hidden = true;
  // Others may be chosen while it runs.
  const sent = [...files()];
  const least = Number(fileBox?.dataset.min ?? 0);
  if (sent.length < least) {
    return setError(
      fileBox,
      least > 1 ? `Choose at least ${least} files.` : 'Choose a file first.',
      true,
    );
  }
  const tooLarge = largerThanTaken(sent);
  if (tooLarge) return setError(fileBox, tooLarge, true);
  const mine = new AbortController();
  controller = mine;
  const { signal } = mine;
  begin(signal);
  try {
    const action = form.getAttribute('action');
    const body = callBody(sent);
    const response =
      'long' in form.dataset
        ? await runJob(action, body, signal, tell)
        : await fetch(`${action}/run`, { method: 'POST', body, signal });
    showLeft(response.headers);
    await show(response, sent);
  } catch (error) {
    end();
    delete result.dataset.state;
    const lost = await unreadable(sent);
    if (signal.aborted) tellWaiting('Cancelled.');
    else if (lost) {
      const why = 'It is a folder, or was moved or changed since it was chosen. Choose it again.';
      setError(fileBox, `The file ${lost.name} cannot be read. ${why}`, true);
    } else showProblem({ error: `The service could not be reached: ${error.message}.` });
  } finally {
    mine.abort();
  }
}

/** What would be refused only after it was sent. */
function largerThanTaken(sent) {
  if (!fileBox) return;
  const [most, mostTogether] = [fileBox.dataset.maxBytes, fileBox.dataset.maxTogether].map(Number);
  const large = sent.find(({ size }) => size > most);
  if (large)
    return `The file ${large.name} is larger than the ${most / 2 ** 20} MB that are taken.`;
  // Not every tool has a bound of all together.
  if (sent.reduce((sum, { size }) => sum + size, 0) > mostTogether)
    return `Together the files are larger than the ${mostTogether / 2 ** 20} MB that are taken.`;
}

/** The first of the files that the browser itself cannot read. */
async function unreadable(sent) {
  for (const file of sent) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return file;
    }
  }
}

function begin(signal) {
  if (!isPlain) output.replaceChildren();
  forgetFiles();
  result.dataset.state = 'running';
  result.setAttribute('aria-busy', 'true');
  // What is switched off has no focus.
  const goOn = document.activeElement === submit;
  submit.disabled = true;
  if (isPlain) return;
  cancel.hidden = false;
  if (goOn) cancel.focus();
  tellWaiting('');
  const started = Date.now();
  const clock = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    if (seconds > 2) took.textContent = ` ${seconds} s`;
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
  took.textContent = '';
  tell({ status: 'running', progress: 0 });
  result.scrollIntoView({ block: 'nearest' });
}

/** How far a job is. */
function tell({ status, progress }) {
  if (isPlain) return;
  bar.toggleAttribute('value', progress > 0);
  if (progress > 0) bar.value = progress;
  const percent = progress > 0 ? ` ${Math.floor(progress * 100)} %` : '';
  running.textContent = status === 'queued' ? 'Waiting for its turn…' : `Working…${percent}`;
}

/** Read without spending any of it; a run that was quicker knows better. */
async function readLeft() {
  const before = left.textContent;
  try {
    const headers = { Accept: 'text/plain' };
    const answer = await fetch(`${form.getAttribute('action')}/left`, { headers });
    if (answer.ok && left.textContent === before) left.textContent = await answer.text();
  } catch {
    // The link to it stays.
  }
}

function showLeft(headers) {
  const text = leftText(headers);
  if (!text || !left) return;
  left.setAttribute('aria-live', 'polite');
  left.textContent = text;
}

function end() {
  result.removeAttribute('aria-busy');
  submit.disabled = false;
  if ([document.body, cancel].includes(document.activeElement))
    submit.focus({ preventScroll: true });
  if (!isPlain) cancel.hidden = true;
}

/** Shown where the result will be, and said. */
function tellWaiting(what) {
  result.querySelector('[data-told]').textContent = what;
  result.querySelector('.waiting p').textContent = `${what} The result appears here.`.trim();
}

function parametersNow() {
  const parameters = {};
  for (const field of form.querySelectorAll('[data-type]')) {
    const { name, value, checked, dataset, required } = field;
    const said = valueIn(
      { type: dataset.type, initial: dataset.initial, required },
      value,
      checked,
    );
    if (said !== undefined) parameters[name] = said;
  }
  return parameters;
}

function callBody(sent) {
  const body = new FormData();
  body.set('tool', form.dataset.tool);
  body.set('parameters', JSON.stringify(parametersNow()));
  for (const file of sent) body.append('files', file);
  return body;
}

async function show(response, sent) {
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
    const before = sent.length === 1 ? sent[0] : undefined;
    parts = await fileResult(blob, nameIn(response, type), before, response.headers);
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
    box.textContent = warningText(warnings);
    output.prepend(box);
  }
  nameByFile(output.querySelector('[data-save]'), sent);
  reveal(output);
  document.getElementById('result-title').focus({ preventScroll: true });
  result.scrollIntoView({ block: 'nearest' });
}

/** A text that was read from a file is saved under that file's name. */
function nameByFile(save, sent) {
  if (!save || sent.length !== 1) return;
  const [ending] = /\.\w+$/.exec(save.dataset.save);
  save.dataset.save = sent[0].name.replace(/\.[^.]*$/, '') + ending;
  save.textContent = `Save as ${save.dataset.save}`;
}

function nameIn(response, type) {
  const header = response.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return (
    /filename="([^"]+)"/.exec(header)?.[1] ??
    `${form.dataset.tool}.${type.includes('json') ? 'json' : 'bin'}`
  );
}

function showProblem({ error, param }) {
  const field = /^file/.test(param ?? '') ? fileBox : form.elements.namedItem(param ?? '');
  if (field) return setError(field, error, true);
  const [before, after] = error.split('/developers', 2);
  general.textContent = before;
  if (after !== undefined) {
    const link = document.createElement('a');
    link.href = '/developers';
    link.textContent = '/developers';
    general.append(link, after);
  }
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
