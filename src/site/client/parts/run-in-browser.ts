/** Runs a form's tool in the page whenever a field or the file changes and when the visitor submits the form. */
import { asTyped } from './as-typed.ts';
import { errorText } from './error-text.ts';
import { showGeneralError, showInvalid } from './field-errors.ts';
import {
  exampleParameters,
  fields,
  fileBox,
  files,
  form,
  parameters,
  submit,
  tool,
} from './form-elements.ts';
import { isChanged } from './form-fields.ts';
import { clearErrors, showResponse } from './form-response.ts';
import { loadTool, type RunTool } from './load-tool.ts';
import {
  clearResult,
  markStale,
  readResult,
  restoreResult,
  result,
  resultElements,
  showRunning,
} from './tool-result.ts';

/**
 * The pause after which an error is shown, in milliseconds. Most values are invalid while they are being typed, so the
 * last result stays until then, but is dimmed.
 */
const ERROR_AFTER_MS = 800;

/** Loads the tool into the page. The form does nothing until the tool has loaded. */
export async function runInBrowser(): Promise<void> {
  form.addEventListener('input', toggleExample);
  toggleExample();
  const { worker, script } = form.dataset;
  let compute: RunTool;
  try {
    compute = await loadTool(worker!, script!, exampleParameters());
  } catch (error) {
    return showGeneralError(errorText(error));
  }
  let timer: number | undefined;
  const runs = asTyped(
    async () => (form.checkValidity() ? compute(parameters(), files()) : undefined),
    async (response, isRequested) => {
      clearTimeout(timer);
      delete result.dataset.outdated;
      endRunning(response?.ok ?? false);
      // The list of files sets and clears its message itself.
      clearErrors(fields);
      if (!response?.ok && !isRequested && isEmpty()) return clearResult();
      if (response?.ok || isRequested || isIncomplete()) return show(response, isRequested);
      result.dataset.outdated = '';
      timer = setTimeout(show, ERROR_AFTER_MS, response, false);
    },
  );
  form.addEventListener('input', () => {
    clearTimeout(timer);
    runs.soon();
  });
  fileBox?.addEventListener('files', () => {
    clearTimeout(timer);
    if (files().length > 0) beginRunning();
    runs.soon();
  });
  form.addEventListener('submit', runs.now);
  submit.disabled = false;
  const example = document.querySelector('[data-example-result]');
  if (example) {
    const made = await compute({ ...parameters(), ...exampleParameters() }, []);
    if (made.ok)
      example.replaceChildren(...(await resultElements(await readResult(made, tool, []), [])));
  }
  if ('first' in form.dataset || fields.some(isChanged) || files().length > 0) runs.soon();
}

let running: AbortController | undefined;

/** Shows that the tool is running, because a run on a large file takes seconds. */
function beginRunning(): void {
  running?.abort();
  running = new AbortController();
  showRunning(running.signal);
}

function endRunning(isDone: boolean): void {
  if (!running) return;
  running.abort();
  running = undefined;
  result.removeAttribute('aria-busy');
  if (!isDone) restoreResult();
}

/** Whether the visitor has entered nothing, so that an error would come too early. */
const isEmpty = () => !fields.some(isChanged) && files().length === 0;

/** Whether a required field is still empty. */
const isIncomplete = () => fields.some(({ validity }) => validity.valueMissing);

/** Shows a response, or why the form is invalid. */
async function show(response: Response | undefined, isRequested: boolean): Promise<void> {
  if (response) return showResponse(response, [], isRequested);
  if (isIncomplete()) clearResult();
  else markStale();
  showInvalid(fields);
}

/** Hides the example while the form contains input, because visitors could mistake the example for the result. */
function toggleExample(): void {
  const example = document.querySelector<HTMLElement>('.example');
  if (example) example.hidden = fields.some(isChanged);
}
