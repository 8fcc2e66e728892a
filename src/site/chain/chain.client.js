/** The chain's page without reloading: its form is posted as without scripts, and the page that comes back takes its place. */
import { reveal } from './site.js';

let controller = null;

document.addEventListener('submit', (event) => {
  if (event.target.id !== 'chain-form') return;
  event.preventDefault();
  act(event.submitter?.value || 'run');
});

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-cancel]')) controller?.abort();
});

document.addEventListener('change', async (event) => {
  if (event.target.dataset.upload) await upload(event.target);
  if (event.target.closest('.hop')) refresh();
});

const FIELD = 'input:not([type="hidden"]), select, textarea';
const $ = (selector) => document.querySelector(selector);

/** Posts the form with what a button says; gives the page that came back. */
async function post(what, signal) {
  const body = new FormData($('#chain-form'));
  body.set('do', what);
  const response = await fetch('/chains', { method: 'POST', body, signal });
  if (!response.headers.get('Content-Type')?.startsWith('text/html'))
    throw new Error((await response.json()).error);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

async function act(what) {
  controller?.abort();
  controller = new AbortController();
  const { signal } = controller;
  if (what === 'run') begin(signal);
  try {
    const made = await post(what, signal);
    $('#chain').replaceWith(made.getElementById('chain'));
    reveal($('#chain'));
    goOn(what);
  } catch (error) {
    if (signal === controller.signal) end();
    if (!signal.aborted) say(error.message);
  }
}

function begin(signal) {
  const started = Date.now();
  const tell = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    $('#working').textContent = `Working…${seconds > 2 ? ` ${seconds} s` : ''}`;
  };
  tell();
  const clock = setInterval(tell, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
  const cancel = $('[data-cancel]');
  cancel.hidden = false;
  $('#chain-form button.main').disabled = true;
  cancel.focus();
}

function end() {
  $('[data-cancel]').hidden = true;
  $('#working').textContent = '';
  const run = $('#chain-form button.main');
  run.disabled = false;
  run.focus();
}

/** Where one goes on after what was done. */
function goOn(what) {
  controller.abort();
  const [verb, from, to] = what.split(' ');
  const hops = document.querySelectorAll('.hop');
  const moved = { up: Number(from) - 1, down: Number(from) + 1, move: Number(to) }[verb];
  const wanted = {
    add: () => hops[hops.length - 1]?.querySelector(FIELD),
    example: () => hops[0].querySelector(FIELD),
    remove: () => $('#add'),
    run: () =>
      $('[aria-invalid]') ?? [...document.querySelectorAll('.hop .output:has(.good, .bad)')].pop(),
  }[verb];
  const place =
    moved === undefined
      ? wanted?.()
      : (hops[moved]?.querySelector(`[value^="${verb}"]:enabled`) ??
        hops[moved]?.querySelector('.moves button:enabled'));
  (place ?? $('#add')).focus({ preventScroll: true });
  place?.scrollIntoView({ block: 'nearest' });
}

/** What feeds what, and the call, as the form now is. The fields stay: someone is at them. */
async function refresh() {
  try {
    const made = await post('show');
    for (const selector of ['.feeds', '#calls code']) {
      const fresh = made.querySelectorAll(selector);
      document.querySelectorAll(selector).forEach((element, index) => {
        if (fresh[index]) element.replaceChildren(...fresh[index].childNodes);
      });
    }
  } catch {
    // They are shown anew with the next change.
  }
}

/** A file goes up by itself, and its link into the field. */
async function upload(input) {
  const field = document.getElementById(input.dataset.upload);
  for (const file of input.files) {
    const body = new FormData();
    body.set('tool', 'upload_file');
    body.set('file', file);
    say('');
    $('#working').textContent = `Uploading ${file.name}…`;
    try {
      const response = await fetch('/chains/upload', { method: 'POST', body });
      const { url, error } = await response.json();
      if (error) throw new Error(error);
      field.value = input.multiple ? [field.value, url].filter(Boolean).join('\n') : url;
    } catch (error) {
      say(error.message);
    }
    $('#working').textContent = '';
  }
  input.value = '';
}

function say(message) {
  const box = $('#form-error');
  box.textContent = message;
  box.hidden = message === '';
  if (message) box.scrollIntoView({ block: 'nearest' });
}

let dragged = null;
document.addEventListener('dragstart', (event) => {
  if (!event.target.closest?.('[data-drag]')) return;
  dragged = event.target.closest('.hop');
  event.dataTransfer.setData('text/plain', '');
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setDragImage(dragged, 20, 20);
  dragged.classList.add('dragged');
});
document.addEventListener('dragover', (event) => {
  const hop = event.target.closest?.('.hop');
  for (const each of document.querySelectorAll('.hop.target')) each.classList.remove('target');
  if (!dragged || !hop) return;
  event.preventDefault();
  hop.classList.add('target');
});
document.addEventListener('drop', (event) => {
  const hop = event.target.closest?.('.hop');
  if (!dragged || !hop) return;
  event.preventDefault();
  if (hop !== dragged) act(`move ${dragged.dataset.hop} ${hop.dataset.hop}`);
});
document.addEventListener('dragend', () => {
  dragged?.classList.remove('dragged');
  dragged = null;
  for (const each of document.querySelectorAll('.hop.target')) each.classList.remove('target');
});
