/** Shows that a tool is running, and then its result or error. */
import { type Problem, problemIn } from './api.ts';
import { byId } from './elements.ts';
import { clearError, setError, showGeneralError } from './field-errors.ts';
import { forgetFiles } from './file-result.ts';
import { cancel, fileBox, form, submit, tool } from './form-elements.ts';
import { recordResult } from './form-work.ts';
import { showQuota } from './quota.ts';
import { suggestedRun } from './suggested-run.ts';
import {
  markStale,
  readResult,
  restoreResult,
  result,
  resultElements,
  showResult,
  showRunning,
} from './tool-result.ts';

export function begin(signal: AbortSignal): void {
  // A button loses the focus when it is disabled.
  const hadFocus = document.activeElement === submit;
  submit.disabled = true;
  if (cancel) {
    cancel.hidden = false;
    if (hadFocus) cancel.focus();
  }
  showRunning(signal);
}

export function end(): void {
  result.removeAttribute('aria-busy');
  submit.disabled = false;
  if ([document.body, cancel].includes(document.activeElement as HTMLButtonElement))
    submit.focus({ preventScroll: true });
  if (cancel) cancel.hidden = true;
}

/**
 * Shows the result or the error in a response.
 *
 * @param isRequested whether the visitor requested the result, so that the page scrolls to it
 */
export async function showResponse(
  response: Response,
  sent: readonly File[],
  isRequested = true,
): Promise<void> {
  showQuota(response.headers);
  if (!response.ok) {
    const problem = await problemIn(response);
    if (isRequested) {
      end();
      restoreResult();
    } else markStale();
    return showProblem(problem, isRequested);
  }
  const made = await readResult(response, tool, sent);
  if (isRequested) forgetFiles();
  const parts = await resultElements(made, sent);
  const warnings = response.headers.get('X-Tool-Warnings') ?? undefined;
  if (isRequested) end();
  showResult(parts, warnings, sent, isRequested);
  await recordResult(made, warnings);
}

function showProblem({ error, param = '' }: Problem, isRequested: boolean): void {
  const field = param.startsWith('file') ? fileBox : form.elements.namedItem(param);
  // The message is beside the field, so it need not contain the parameter's API name, which visitors do not know.
  const text = error.replace(`The parameter "${param}"`, 'This value');
  if (field instanceof HTMLElement) setError(field, text, isRequested);
  else showFailure(error);
}

function showFailure(error: string): void {
  const { text, button } = suggestedRun(error);
  showGeneralError(text);
  if (button) byId('form-error').append(' ', button);
}

/** Removes the messages from the last run, beside the given fields and above the form. */
export function clearErrors(
  marked: Iterable<Element> = form.querySelectorAll('[aria-invalid]'),
): void {
  for (const field of marked) clearError(field);
  byId('form-error').hidden = true;
}
