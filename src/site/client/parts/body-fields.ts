/** Keeps the fields of a request body in sync with its JSON, on pages of the API reference. */
import { fieldValue, type TextKind, textOf } from '../../docs/field-text.ts';
import { errorText } from './error-text.ts';
import { setError } from './field-errors.ts';
import type { FormControl } from './form-fields.ts';

export function linkBodyFields(form: HTMLFormElement): void {
  const json = form.querySelector<HTMLTextAreaElement>('[name="body"]');
  if (!json) return;
  const controls = [...form.querySelectorAll<FormControl>('[data-field]')];
  let body = JSON.parse(json.defaultValue);

  const readJson = () => {
    const read = valueIn(json, () => bodyOf(json.value, controls.length > 0));
    if (!read) return;
    body = read.value;
    for (const control of controls) {
      control.value = textOf(body[control.dataset.field!], control.dataset.as as TextKind);
      setProblem(control, '');
    }
  };
  const readControl = (control: FormControl) => {
    const read = valueIn(control, () => fieldValue(control.dataset.as as TextKind, control.value));
    if (!read) return;
    body = { ...body, [control.dataset.field!]: read.value };
    // JSON omits the fields whose value is undefined.
    json.value = JSON.stringify(body, null, 2);
    setProblem(json, '');
  };
  form.addEventListener('input', ({ target }) => {
    const control = controls.find((one) => one === target);
    if (target === json) readJson();
    else if (control) readControl(control);
  });
  // The visitor may have entered values before this script ran.
  if (json.value !== json.defaultValue) readJson();
  for (const control of controls) readControl(control);

  // A field in a collapsed section cannot show why it is invalid.
  json.addEventListener('invalid', () => {
    const fold = json.closest('details');
    if (fold) fold.open = true;
  });
}

/** Returns the control's value. If its text is invalid, shows the reason at the control. */
function valueIn<T>(control: FormControl, read: () => T): { value: T } | undefined {
  try {
    const value = read();
    setProblem(control, '');
    return { value };
  } catch (error) {
    setProblem(control, `Invalid JSON: ${errorText(error)}`);
    return undefined;
  }
}

function setProblem(control: FormControl, problem: string): void {
  // The browser does not submit a form with an invalid control.
  control.setCustomValidity(problem);
  if (document.getElementById(`${control.id}-error`)) setError(control, problem);
}

function bodyOf(text: string, hasFields: boolean) {
  const body = JSON.parse(text);
  if (hasFields && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw new SyntaxError('The body must be a JSON object.');
  return body;
}
