/** Shows the error messages of a tool's form, each beside its field. */
import { byId, find, make, showMessage } from './elements.ts';

/**
 * Shows `message` beside a field, or beside the file field that contains it, and optionally focuses it. An empty
 * message removes the current one.
 */
export function setError(field: HTMLElement, message: string, focus = false): void {
  const control = 'files' in field.dataset ? find(field, 'input') : field;
  showMessage(byId(`${control.id}-error`), message);
  if (message === '') control.removeAttribute('aria-invalid');
  else control.ariaInvalid = 'true';
  if (focus) control.focus();
}

/** Removes the message beside a field, if the field can show one. */
export function clearError(field: EventTarget | null): void {
  if (!(field instanceof HTMLElement) || !document.getElementById(`${field.id}-error`)) return;
  setError(field.closest<HTMLElement>('[data-files]') ?? field, '');
}

/** Shows a message that does not concern any field. /developers in the message becomes a link. */
export function showGeneralError(message: string): void {
  const box = byId('form-error');
  const [before, after] = message.split('/developers', 2) as [string, string | undefined];
  box.textContent = before;
  if (after !== undefined)
    box.append(make('a', { href: '/developers', textContent: '/developers' }), after);
  box.hidden = false;
  box.scrollIntoView({ block: 'nearest' });
}
