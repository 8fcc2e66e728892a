/** Shows the error messages of a tool's form, each beside its field. */
import { byId, find, make, showMessage } from './elements.ts';
import { indexIn } from './text-position.ts';

/**
 * Shows `message` beside `field`, and optionally focuses the field and scrolls to the message. `field` can also be the
 * box of a file field. An empty message removes the current one. If the message names a line of a text field, a button
 * selects that position.
 */
export function setError(field: HTMLElement, message: string, focus = false): void {
  const control = 'files' in field.dataset ? find(field, 'input') : field;
  const box = byId(`${control.id}-error`);
  showMessage(box, message);
  if (control instanceof HTMLTextAreaElement) offerPosition(box, control, message);
  if (message === '') control.removeAttribute('aria-invalid');
  else control.ariaInvalid = 'true';
  if (!focus) return;
  control.focus();
  if (message !== '') box.scrollIntoView({ block: 'nearest' });
}

/** If the message names a position in `field`, adds a button that selects it. */
function offerPosition(box: HTMLElement, field: HTMLTextAreaElement, message: string): void {
  const at = indexIn(field.value, message);
  if (at === undefined) return;
  const button = make('button', { type: 'button', className: 'small', textContent: 'Show it' });
  button.addEventListener('click', () => {
    // Chromium scrolls to a cursor when the field receives the focus, but not to a selection.
    field.setSelectionRange(at, at);
    field.focus();
    field.setSelectionRange(at, at + 1);
  });
  box.append(' ', button);
}

/** Shows why values are invalid. A field that is still empty gets a message only when the visitor submits the form. */
export function showInvalid(
  fields: readonly (HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[],
): void {
  for (const field of fields) {
    const { valid, valueMissing } = field.validity;
    if (!valid && !valueMissing) setError(field, invalidText(field));
  }
}

function invalidText(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string {
  const { min = '', max = '' } = field as HTMLInputElement;
  const { rangeUnderflow, rangeOverflow, stepMismatch } = field.validity;
  if (stepMismatch) return 'Enter a whole number.';
  if (!rangeUnderflow && !rangeOverflow) return field.validationMessage;
  if (min && max) return `Enter a number from ${min} to ${max}.`;
  return min ? `Enter ${min} or more.` : `Enter ${max} or less.`;
}

/** Removes the message beside a field, if the field can show one. */
export function clearError(field: EventTarget | null): void {
  if (!(field instanceof HTMLElement) || !document.getElementById(`${field.id}-error`)) return;
  setError(field.closest<HTMLElement>('[data-files]') ?? field, '');
}

/** Shows a message that does not concern any field. */
export function showGeneralError(message: string): void {
  const box = byId('form-error');
  showMessage(box, message);
  box.scrollIntoView({ block: 'nearest' });
}
