/** The result area of a tool's page: waiting, running or done. */
import type { Taker } from '../../tool/taker.ts';
import { warningText } from '../../tool/warning-text.ts';
import { byId, find, make } from './elements.ts';
import { fileResult, forgetFiles } from './file-result.ts';
import { reveal } from './reveal.ts';
import type { JobState } from './run-job.ts';

export const result = byId('result');

const output = find(result, '.output');
/** The home page shows only the image of a result. */
const isDemo = 'plain' in result.dataset;

export function showRunning(signal: AbortSignal): void {
  if (!isDemo) output.replaceChildren();
  forgetFiles();
  result.dataset.state = 'running';
  result.ariaBusy = 'true';
  if (isDemo) return;
  showWaiting('');
  const duration = find(result, '[data-took]');
  const started = Date.now();
  const clock = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    if (seconds > 2) duration.textContent = ` ${seconds} s`;
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
  duration.textContent = '';
  showProgress({ status: 'running', progress: 0 });
  result.scrollIntoView({ block: 'nearest' });
}

export function showProgress({ status, progress }: JobState): void {
  if (isDemo) return;
  const bar = find<HTMLProgressElement>(result, 'progress');
  bar.toggleAttribute('value', progress > 0);
  if (progress > 0) bar.value = progress;
  const percent = progress > 0 ? ` ${Math.floor(progress * 100)} %` : '';
  find(result, '[data-running]').textContent =
    status === 'queued' ? 'Waiting in the queue…' : `Working…${percent}`;
}

/** Resets the result area, with a message that screen readers read out. */
export function showWaiting(message: string): void {
  find(result, '[data-told]').textContent = message;
  find(result, '.waiting p').textContent = `${message} The result appears here.`.trim();
}

/** No result: the run failed or was cancelled. */
export function clearResult(): void {
  delete result.dataset.state;
}

/** The elements that show the body of a successful response to the files `sent`. */
export async function readResult(
  response: Response,
  sent: readonly File[],
  tool: string,
): Promise<Node[]> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/html')) {
    // Rendered by the service's own templates, which escape every value.
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return [...page.body.childNodes];
  }
  const before = sent.length === 1 ? sent[0] : undefined;
  return fileResult(await fileOf(response, tool), before, takers());
}

/** The file in the body of a response, under the name in its headers. */
export async function fileOf(response: Response, tool: string): Promise<File> {
  const { headers } = response;
  const type = (headers.get('Content-Type') ?? '').split(';')[0]!;
  const name = nameIn(headers) ?? `${tool}.${type.includes('json') ? 'json' : 'bin'}`;
  return new File([await response.blob()], name, { type });
}

const takers = (): Taker[] => JSON.parse(result.dataset.takers ?? '[]');

/** The file name of a Content-Disposition header (RFC 6266). */
function nameIn(headers: Headers): string | undefined {
  const header = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(header)?.[1];
}

export function showResult(
  parts: readonly Node[],
  warnings: string | null,
  sent: readonly File[],
): void {
  result.dataset.state = 'done';
  output.replaceChildren(...parts);
  if (isDemo) {
    output.replaceChildren(find(output, 'img'));
    return;
  }
  if (warnings) {
    const textContent = warningText(warnings);
    output.prepend(make('p', { className: 'notice warn small', textContent }));
  }
  nameAfterFile(output.querySelector('[data-save]'), sent);
  reveal(output);
  byId('result-title').focus({ preventScroll: true });
  bringIntoView();
}

/** Scrolls to the beginning of the result, unless what can be done with it is in view already. */
function bringIntoView(): void {
  const { top, bottom } = (output.querySelector('.actions') ?? output).getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) result.scrollIntoView({ block: 'start' });
}

/** A text that was extracted from one file is saved under that file's name. */
function nameAfterFile(save: HTMLElement | null, sent: readonly File[]): void {
  if (!save || sent.length !== 1) return;
  const extension = /\.\w+$/.exec(save.dataset.save!)?.[0] ?? '';
  save.dataset.save = sent[0]!.name.replace(/\.[^.]*$/, '') + extension;
  save.textContent = `Save as ${save.dataset.save}`;
}
