/** The error messages of a tool's form, each beside its field. */
import { byId, find, make, showMessage } from './elements.ts';

/** Shows `message` at a field, or at the file field around it, and focuses it. An empty message removes it. */
export function setError(field: HTMLElement, message: string, focus = false): void {
  const control = 'files' in field.dataset ? find(field, 'input') : field;
  showMessage(byId(`${control.id}-error`), message);
  if (message === '') control.removeAttribute('aria-invalid');
  else control.ariaInvalid = 'true';
  if (focus) control.focus();
}

/** Removes the message at a field, if the field can show one. */
export function clearError(field: EventTarget | null): void {
  if (!(field instanceof HTMLElement) || !document.getElementById(`${field.id}-error`)) return;
  setError(field.closest<HTMLElement>('[data-files]') ?? field, '');
}

/** Shows a message that belongs to no field. Its mention of /developers becomes a link. */
export function showGeneralError(message: string): void {
  const box = byId('form-error');
  const [before, after] = message.split('/developers', 2) as [string, string | undefined];
  box.textContent = before;
  if (after !== undefined)
    box.append(make('a', { href: '/developers', textContent: '/developers' }), after);
  box.hidden = false;
  box.scrollIntoView({ block: 'nearest' });
}
