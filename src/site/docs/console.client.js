/** Sends the requests of the API reference, with the key at the head of the page, and shows the answers as they come. */
import { sizeText } from './both-sides.js';
import { codeBlock } from './site.js';

const MOST_SHOWN = 100_000;
const key = document.getElementById('api-key');

// Before, the browser itself would send the form, to this page.
for (const send of document.querySelectorAll('.console button.main')) send.disabled = false;

document.addEventListener('submit', async (event) => {
  const form = event.target.closest('.console form');
  if (!form) return;
  event.preventDefault();
  const answer = form.querySelector('.answer');
  const send = form.querySelector('button.main');
  const cancel = form.querySelector('[data-cancel]');
  if (send.disabled) return;
  const controller = new AbortController();
  const stop = () => controller.abort();
  cancel.addEventListener('click', stop);
  cancel.hidden = false;
  send.disabled = true;
  answer.textContent = 'Sending…';
  try {
    const { url, init } = requestOf(form);
    const started = performance.now();
    const response = await fetch(url, { ...init, signal: controller.signal });
    const body = await response.blob();
    const took = Math.round(performance.now() - started);
    answer.replaceChildren(...(await shown(response, body, took)));
  } catch (error) {
    answer.textContent = controller.signal.aborted ? 'Cancelled.' : error.message;
  } finally {
    cancel.removeEventListener('click', stop);
    cancel.hidden = true;
    send.disabled = false;
  }
});

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  if (key.value.trim()) headers.set('Authorization', `Bearer ${key.value.trim()}`);
  const init = { method: form.dataset.method, headers };
  const text = form.querySelector('[name="body"]')?.value;
  const input = form.querySelector('[data-part]');
  if (input?.files.length > 0) init.body = multipart(text, input);
  else if (text !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = text;
  }
  return { url: query.size > 0 ? `${path}?${query}` : path, init };
}

function multipart(text, input) {
  let fields;
  try {
    fields = JSON.parse(text);
  } catch (error) {
    throw new Error(`The body is no JSON: ${error.message}`);
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  for (const file of input.files) body.append(input.dataset.part, file);
  return body;
}

async function shown(response, body, took) {
  const line = document.createElement('p');
  line.className = 'cluster';
  const status = document.createElement('span');
  status.className = response.ok ? 'chip good' : 'chip bad';
  status.textContent = `${response.status} ${response.statusText}`.trim();
  line.append(status, ` ${took} ms, ${sizeText(body.size)}`);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Headers';
  details.append(summary, codeBlock(headers, 'the headers of the answer'));
  if (body.size === 0) return [line, details];
  if (!/json|text|xml/.test(body.type) || body.size > MOST_SHOWN)
    return [line, saveLink(response, body), details];
  return [line, codeBlock(pretty(await body.text()), 'the answer'), details];
}

function saveLink(response, body) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(body);
  const given = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  link.download = given ?? 'answer';
  link.className = 'button';
  link.textContent = `Save ${link.download}`;
  return link;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
