/** Runs test_regex in the browser. A worker runs the expression, and the page shows the matches. */
import { byId, make, showMessage } from './parts/elements.ts';
import type { RegexAnswer, RegexJob, RegexMatch, RegexMatches } from './parts/regex-messages.ts';
import { saveTexts } from './parts/saved-texts.ts';

const TIME_LIMIT_MS = 2000;

const form = byId('form');
const pattern = byId<HTMLInputElement>('pattern');
const flags = byId<HTMLInputElement>('flags');
const text = byId<HTMLTextAreaElement>('text');
const replacement = byId<HTMLInputElement>('replacement');

let worker: Worker | undefined;
let timer: number | undefined;
let latest = 0;

function start(): void {
  const started = new Worker(form.dataset.worker!);
  worker = started;
  started.onmessage = ({ data }: MessageEvent<RegexAnswer>) => {
    if (data === 'ready') return run(started);
    if (data.id !== latest) return;
    clearTimeout(timer);
    show(data);
  };
}

function run(started: Worker): void {
  const job: RegexJob = {
    id: ++latest,
    pattern: pattern.value,
    flags: flags.value.trim(),
    text: text.value,
    replacement: replacement.value,
  };
  clearTimeout(timer);
  timer = setTimeout(() => {
    started.terminate();
    worker = undefined;
    show({ error: 'The expression took longer than 2 seconds and was stopped.' });
  }, TIME_LIMIT_MS);
  started.postMessage(job);
}

const NONE: RegexMatches = { matches: [], replaced: null, isCut: false };

function show(answer: RegexMatches | { error: string }): void {
  const error = 'error' in answer ? answer.error : '';
  const { matches, replaced, isCut } = 'error' in answer ? NONE : answer;
  showMessage(byId('problem'), error);
  if (error) pattern.ariaInvalid = 'true';
  else pattern.removeAttribute('aria-invalid');
  byId('count').textContent = error ? '' : countText(matches.length, isCut);
  byId('marked').replaceChildren(...withMarks(matches));
  byId('matches').replaceChildren(...matches.map(row));
  byId('replaced').textContent = replaced;
  byId('replaced-box').hidden = replaced === null;
}

function countText(count: number, isCut: boolean): string {
  if (isCut) return `the first ${count.toLocaleString('en')}`;
  return count === 1 ? '1 match' : `${count} matches`;
}

/** Returns the text with marked matches. */
function withMarks(matches: readonly RegexMatch[]): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of matches) {
    parts.push(text.value.slice(end, match.index), make('mark', { textContent: match.text }));
    end = match.index + match.text.length;
  }
  return [...parts, text.value.slice(end)];
}

function row({ index, text: found, groups, named }: RegexMatch): HTMLElement {
  const names = Object.entries(named);
  const pairs: [string | number, string | null | undefined][] =
    names.length > 0 ? names : groups.map((value, at) => [at + 1, value]);
  const described = pairs.map(([name, value]) => `${name} = ${value ?? 'nothing'}`).join(', ');
  const cells = [String(index), found, described];
  return make('tr', {}, ...cells.map((textContent) => make('td', { textContent })));
}

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', () => (worker ? run(worker) : start()));
saveTexts([pattern, flags, text, replacement]);
start();
