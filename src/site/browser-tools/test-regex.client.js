/** test_regex in the browser: a worker runs the expression, the page shows what it found. */

const TIME_LIMIT_MS = 2000;

const form = document.getElementById('form');
const [pattern, flags, text, replacement] = ['pattern', 'flags', 'text', 'replacement'].map((id) =>
  document.getElementById(id),
);
const problem = document.getElementById('problem');
const marked = document.getElementById('marked');
const rows = document.getElementById('matches');
const count = document.getElementById('count');
const replaced = document.getElementById('replaced');

let worker;
let timer;
let latest = 0;

function start() {
  worker = new Worker(form.dataset.worker);
  worker.onmessage = ({ data }) => {
    if (data.ready) return run();
    if (data.id !== latest) return;
    clearTimeout(timer);
    show(data);
  };
}

function run() {
  const id = ++latest;
  clearTimeout(timer);
  timer = setTimeout(() => {
    worker.terminate();
    show({ error: 'The expression took longer than 2 seconds and was stopped.' });
    worker = undefined;
  }, TIME_LIMIT_MS);
  worker.postMessage({
    id,
    pattern: pattern.value,
    flags: flags.value.trim(),
    text: text.value,
    replacement: replacement.value,
  });
}

function show({ error, matches = [], replaced: outcome = null, more }) {
  problem.textContent = error ?? '';
  problem.hidden = !error;
  pattern.toggleAttribute('aria-invalid', false);
  if (error) pattern.setAttribute('aria-invalid', 'true');
  count.textContent = error
    ? ''
    : more
      ? 'the first 1,000'
      : matches.length === 1
        ? '1 match'
        : `${matches.length} matches`;
  marked.replaceChildren(...withMarks(matches));
  rows.replaceChildren(...matches.map(row));
  replaced.textContent = outcome ?? '';
  document.getElementById('replaced-box').hidden = outcome === null;
}

function withMarks(matches) {
  const parts = [];
  let at = 0;
  for (const match of matches) {
    parts.push(text.value.slice(at, match.at));
    const mark = document.createElement('mark');
    mark.textContent = match.text;
    parts.push(mark);
    at = match.at + match.text.length;
  }
  return [...parts, text.value.slice(at)];
}

function row({ at, text: found, groups, names }) {
  const line = document.createElement('tr');
  const named = Object.entries(names);
  const described =
    named.length > 0
      ? named.map(([name, value]) => `${name} = ${value ?? 'nothing'}`)
      : groups.map((value, index) => `${index + 1} = ${value ?? 'nothing'}`);
  for (const content of [String(at), found, described.join(', ')]) {
    const cell = document.createElement('td');
    cell.textContent = content;
    line.append(cell);
  }
  return line;
}

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', () => {
  if (worker) run();
  else start();
});
start();
