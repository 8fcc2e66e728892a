/** Runs test_regex in the browser. A worker runs the expression, and the page shows the matches. */
import { byId, make } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { setError } from './parts/field-errors.ts';
import { regexHint, withHint } from './parts/regex-hint.ts';
import { copyRegexLink, fillFromLink } from './parts/regex-link.ts';
import type {
  RegexAnswer,
  RegexError,
  RegexJob,
  RegexMatch,
  RegexMatches,
} from './parts/regex-messages.ts';
import { saveTexts } from './parts/saved-texts.ts';

const TIME_LIMIT_MS = 2000;
/** How long the expression runs before the status says so, in milliseconds. The delay prevents flicker. */
const BUSY_AFTER_MS = 200;

const form = byId('form');
const pattern = byId<HTMLInputElement>('pattern');
const common = byId<HTMLSelectElement>('common');
const flags = byId<HTMLInputElement>('flags');
const text = byId<HTMLTextAreaElement>('text');
const replacement = byId<HTMLInputElement>('replacement');
const replacing = byId<HTMLDetailsElement>('replacing');
const meaning = byId<HTMLDetailsElement>('meaning');
const count = byId('count');
const split = byId('split');

/** The worker, once it is loaded. The time limit of an expression does not include the time of loading. */
let worker: Worker | undefined;
let isLoading = false;
let busyTimer: number | undefined;
let timer: number | undefined;
let latest = 0;

function start(): void {
  if (isLoading) return;
  isLoading = true;
  const started = new Worker(form.dataset.worker!);
  started.onmessage = ({ data }: MessageEvent<RegexAnswer>) => {
    if (data === 'ready') {
      isLoading = false;
      worker = started;
      run(started);
    } else if (data.id === latest) show(data);
  };
  started.onerror = () => {
    isLoading = false;
  };
}

function run(started: Worker): void {
  const job: RegexJob = {
    id: ++latest,
    pattern: pattern.value,
    flags: flags.value.trim(),
    text: text.value,
    replacement: replacing.open ? replacement.value : null,
  };
  stopTimers();
  busyTimer = setTimeout(() => {
    setError(pattern, '');
    setError(flags, '');
    count.textContent = 'Working…';
  }, BUSY_AFTER_MS);
  timer = setTimeout(() => {
    started.terminate();
    worker = undefined;
    show({
      error:
        'The expression took longer than 2 seconds and was stopped. Simplify it, or shorten the text.',
    });
  }, TIME_LIMIT_MS);
  started.postMessage(job);
}

function stopTimers(): void {
  clearTimeout(busyTimer);
  clearTimeout(timer);
}

const NONE: RegexMatches = { matches: [], names: [], replaced: null, total: 0, isCut: false };

function show(answer: RegexMatches | RegexError): void {
  stopTimers();
  const { error, isInFlags = false }: RegexError = 'error' in answer ? answer : { error: '' };
  const found = 'error' in answer ? NONE : answer;
  const { matches, names, replaced } = found;
  const hint = matches.length === 0 ? regexHint(pattern.value, error !== '') : '';
  setError(pattern, isInFlags || !error ? '' : withHint(error, hint));
  setError(
    flags,
    isInFlags
      ? 'The flags are invalid. Use each of d, g, i, m, s, u, v and y at most once, and not u with v.'
      : '',
  );
  offerSplit(matches.length === 0 ? splitLiteral(pattern.value) : null);
  count.textContent = error ? '' : countText(found) + (hint && `. ${hint}`);
  byId('marked').replaceChildren(...withMarks(matches));
  byId('matches').replaceChildren(...matches.map((match) => row(match, names)));
  byId('replaced').textContent = replaced;
  byId('replaced-box').hidden = replaced === null;
}

function countText({ matches, total, isCut }: RegexMatches): string {
  if (total === 1) return '1 match';
  const counted = `${isCut ? 'at least ' : ''}${total.toLocaleString('en')} matches`;
  if (matches.length === total) return counted;
  return `${counted}, of which the first ${matches.length.toLocaleString('en')} are listed`;
}

interface Literal {
  source: string;
  flags: string;
}

/** Returns the parts of a pattern in literal notation, such as `/abc/gi`. Returns null for any other pattern. */
function splitLiteral(value: string): Literal | null {
  const end = value.lastIndexOf('/');
  const literal = { source: value.slice(1, end), flags: value.slice(end + 1) };
  const isLiteral = value.startsWith('/') && end > 1 && /^[dgimsuvy]*$/.test(literal.flags);
  return isLiteral ? literal : null;
}

function offerSplit(literal: Literal | null): void {
  byId('slashes').hidden = literal === null;
  if (!literal) return;
  const andFlags = literal.flags && ` and set the flags to ${literal.flags}`;
  split.textContent = `Remove the slashes${andFlags}`;
  split.onclick = () => {
    pattern.value = literal.source;
    if (literal.flags) flags.value = literal.flags;
    pattern.focus();
    changed();
  };
}

/** Returns the text with its matches marked. */
function withMarks(matches: readonly RegexMatch[]): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of matches) {
    parts.push(text.value.slice(end, match.index), make('mark', { textContent: match.text }));
    end = match.index + match.text.length;
  }
  return [...parts, text.value.slice(end)];
}

function row(
  { index, text: found, groups }: RegexMatch,
  names: readonly (string | null)[],
): HTMLElement {
  const pairs = groups.map((value, at) => [names[at] ?? at + 1, value ?? 'nothing'] as const);
  const described = pairs.map(([name, value]) => `${name} = ${value}`).join(', ');
  const cells = [String(index), found, described];
  return make('tr', {}, ...cells.map((textContent) => make('td', { textContent })));
}

/** Explains the current expression if the explanation is open. */
async function explain(): Promise<void> {
  if (!meaning.open) return;
  const parts = byId('parts');
  try {
    const script: typeof import('./explain-regex.ts') = await import(meaning.dataset.script!);
    parts.replaceChildren(script.explanation(pattern.value, flags.value.trim()));
  } catch (error) {
    parts.replaceChildren(make('span', { className: 'error', textContent: errorText(error) }));
  }
}

/** Selects the common pattern that equals the visitor's expression, or none. */
function showCommon(): void {
  common.value = pattern.value;
  if (common.selectedIndex < 0) common.selectedIndex = 0;
}

const changed = () => form.dispatchEvent(new Event('input'));

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', ({ target }) => {
  if (target === common && common.value !== '') pattern.value = common.value;
  showCommon();
  if (worker) run(worker);
  else start();
  void explain();
});
meaning.addEventListener('toggle', explain);
byId('copy-link').addEventListener('click', ({ currentTarget }) =>
  copyRegexLink(currentTarget as HTMLElement, [pattern, flags, text]),
);
saveTexts([pattern, flags, text, replacement]);
fillFromLink([pattern, flags, text]);
addEventListener('hashchange', () => fillFromLink([pattern, flags, text]) && changed());
replacing.open = replacement.value !== '';
replacing.addEventListener('toggle', changed);
showCommon();
start();
