/** Shows the progress of a chain's run, and enables the buttons that run and cancel it. */
import { type JobState, progressText } from '../../tool/progress-text.ts';
import { byId, find, showMessage } from './elements.ts';

// The elements are looked up each time, because every response replaces them.
const cancelButton = () => find(document, '[data-cancel]');
const runButton = () => find<HTMLButtonElement>(byId('chain-form'), 'button.main');

let started = 0;
let progress: JobState = { status: 'running', progress: 0 };

export function showRunning(signal: AbortSignal): void {
  started = Date.now();
  showProgress({ status: 'running', progress: 0 });
  const clock = setInterval(showTime, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
  cancelButton().hidden = false;
  runButton().disabled = true;
  cancelButton().focus();
}

export function showProgress(state: JobState): void {
  progress = state;
  showTime();
}

/** Shows the progress. From the third second on, shows the elapsed time until the first progress is reported. */
function showTime(): void {
  const elapsed = Date.now() - started;
  const seconds = Math.round(elapsed / 1000);
  const time = seconds > 2 && progress.progress <= 0 ? `, ${seconds} s` : '';
  byId('working').textContent = progressText(progress, elapsed) + time;
}

export function showStopped(message: string): void {
  cancelButton().hidden = true;
  byId('working').textContent = message;
  runButton().disabled = false;
  runButton().focus();
}

/** Shows an error of the chain, or removes the current one if `message` is empty. */
export function showError(message: string): void {
  const box = byId('form-error');
  showMessage(box, message);
  if (message) box.scrollIntoView({ block: 'nearest' });
}
