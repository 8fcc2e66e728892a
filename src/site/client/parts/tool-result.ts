/** Shows the result area of a tool's page in its states: waiting, running and done. */
import { filenameIn } from '../../../client/filename-in.ts';
import type { NextTool } from '../../tool/next-tool.ts';
import { type JobState, progressText } from '../../tool/progress-text.ts';
import { warningsIn } from '../../tool/warning-text.ts';
import { offerText } from './compare-original.ts';
import { distinctName } from './distinct-name.ts';
import { byId, find, make } from './elements.ts';
import { compareSizes, fileResult } from './file-result.ts';
import { NARROW } from './narrow.ts';
import { reveal } from './reveal.ts';
import { suggestedRun } from './suggested-run.ts';
import { nameAfterFile, parseHtml } from './text-file.ts';

/** A file, or an HTML fragment that shows any other result. */
export type Result = File | string;

export const result = byId('result');

const output = find(result, '.output');

let started = 0;
/** The elements of the result that was shown before the current run. */
let earlier: readonly Node[] = [];

export function showRunning(signal: AbortSignal): void {
  earlier = result.dataset.state === 'done' ? [...output.childNodes] : [];
  output.replaceChildren();
  delete result.dataset.stale;
  result.dataset.state = 'running';
  result.ariaBusy = 'true';
  showWaiting('');
  const duration = find(result, '[data-took]');
  started = Date.now();
  const clock = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    // If the run reports its progress, the page shows the remaining time instead of the elapsed time.
    const isMeasured = find<HTMLProgressElement>(result, 'progress').hasAttribute('value');
    duration.textContent = seconds > 2 && !isMeasured ? ` ${seconds} s` : '';
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
  duration.textContent = '';
  showProgress({ status: 'running', progress: 0 });
  result.scrollIntoView({ block: 'nearest' });
}

export function showProgress(state: JobState): void {
  const { progress } = state;
  const bar = find<HTMLProgressElement>(result, 'progress');
  bar.toggleAttribute('value', progress > 0);
  if (progress > 0) bar.value = progress;
  find(result, '[data-running]').textContent = progressText(state, Date.now() - started);
}

/** Sets the text of the empty result area. Screen readers announce `message`, which precedes the default text. */
export function showWaiting(message: string): void {
  find(result, '[data-status]').textContent = message;
  result.toggleAttribute('data-message', message !== '');
  find(result, '.waiting p').textContent = `${message} The result appears here.`.trim();
}

/**
 * Clears the result area after a run that failed or was cancelled, and shows the earlier result again, marked as
 * outdated.
 */
export function restoreResult(): void {
  clearResult();
  if (earlier.length === 0) return;
  output.replaceChildren(...earlier);
  result.dataset.state = 'done';
  markStale();
}

export function clearResult(): void {
  delete result.dataset.state;
  delete result.dataset.stale;
  output.replaceChildren();
}

/** Returns the tools that can take the result. */
export const nextTools = (): NextTool[] => JSON.parse(result.dataset.nextTools ?? '[]');

/** Reads the result of `tool` for the files `sent` from the body of a successful response. */
export async function readResult(
  response: Response,
  tool: string,
  sent: readonly File[],
): Promise<Result> {
  const { headers } = response;
  const type = (headers.get('Content-Type') ?? '').split(';')[0]!;
  // The markup is safe, because the service or the worker renders it from our templates, which escape every value.
  if (type === 'text/html') return response.text();
  const name = filenameIn(headers) ?? `${tool}.${type.includes('json') ? 'json' : 'bin'}`;
  const file = new File([await response.blob()], distinctName(name, sent, tool), { type });
  if (headers.has('X-Input-Bytes')) compareSizes(file, Number(headers.get('X-Input-Bytes')));
  return file;
}

/** Returns the elements that show a result. `sent` are the input files. */
export async function resultElements(shown: Result, sent: readonly File[]): Promise<Node[]> {
  if (typeof shown === 'string') {
    const { body } = parseHtml(shown);
    if (NARROW.matches)
      for (const fold of body.querySelectorAll<HTMLDetailsElement>('details[data-narrow]'))
        fold.open = fold.dataset.narrow === 'open';
    return [...body.childNodes];
  }
  // Sharing a link uploads the file, so a page that sends no data does not offer sharing.
  const isShareable = !('inBrowser' in result.dataset);
  return fileResult(shown, sent.length === 1 ? sent[0] : undefined, nextTools(), isShareable);
}

export function showResult(
  parts: readonly Node[],
  warnings: string | undefined,
  sent: readonly File[],
  isRequested: boolean,
): void {
  showParts(parts, sent, warnings);
  if (isRequested) bringIntoView();
}

/** Marks the shown result as outdated, because it was created from a different input. */
export function markStale(): void {
  if (result.dataset.state === 'done') result.dataset.stale = '';
}

export const isStale = (): boolean => 'stale' in result.dataset;

/** Whether the page shows a result, and the form has not changed since the result was created. */
export const isFresh = (): boolean => result.dataset.state === 'done' && !isStale();

/** Shows a result without scrolling the page. */
export function showParts(parts: readonly Node[], sent: readonly File[], warnings?: string): void {
  delete result.dataset.stale;
  result.dataset.state = 'done';
  earlier = [];
  // The result may be updated on each key press, so opened sections are reopened.
  const before = folds();
  output.replaceChildren(...(warnings ? [warningList(warnings)] : []), ...parts);
  const after = folds();
  if (before.length === after.length)
    for (const [index, { open }] of before.entries()) after[index]!.open = open;
  if (sent.length === 1) {
    nameAfterFile(output, sent[0]!);
    offerText(output, sent[0]!);
  }
  reveal(output);
}

function warningList(header: string): HTMLElement {
  const items = warningsIn(header).map((warning) => {
    const { text, button } = suggestedRun(warning);
    return make('li', {}, text, ...(button ? [' ', button] : []));
  });
  return make('ul', { className: 'notice warn small' }, ...items);
}

const folds = () => [...output.querySelectorAll('details')];

/** Focuses the result. Scrolls to its start unless its actions are already visible. */
export function bringIntoView(): void {
  byId('result-title').focus({ preventScroll: true });
  const { top, bottom } = (output.querySelector('.actions') ?? output).getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) result.scrollIntoView({ block: 'start' });
}
