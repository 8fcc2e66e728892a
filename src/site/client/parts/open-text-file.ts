/** Lets visitors open a text file in a field, with its button or by dropping the file on the field. */
import { byId, make } from './elements.ts';
import { unreadableText } from './error-text.ts';
import { setError } from './field-errors.ts';
import { setValue } from './form-fields.ts';

/** Larger files would make the field slow. */
const MAX_BYTES = 20_000_000;

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-open-text]') : null;
  if (!button) return;
  const input = make('input', { type: 'file' });
  input.addEventListener('change', () => open(input.files?.[0], button));
  input.click();
});

document.addEventListener('drop', (event) => {
  const button = buttonAt(event.target);
  const file = event.dataTransfer?.files[0];
  if (!button || !file) return;
  event.preventDefault();
  void open(file, button);
});

/** Returns the button that opens a file in the field that contains `target`. */
const buttonAt = (target: EventTarget | null): HTMLElement | null =>
  (target instanceof Element && target.closest('.field')?.querySelector('[data-open-text]')) ||
  null;

/** Whether a file that is dropped on an element is opened in its field. */
export const opensText = (target: EventTarget | null): boolean => buttonAt(target) !== null;

async function open(file: File | undefined, button: HTMLElement): Promise<void> {
  if (!file) return;
  const field = byId<HTMLTextAreaElement>(button.dataset.openText!);
  if (file.size > MAX_BYTES)
    return setError(
      field,
      `${file.name} is larger than ${MAX_BYTES / 1_000_000} MB. Open a smaller file.`,
      true,
    );
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (!bytes) return setError(field, unreadableText(file.name), true);
  const text = utf8Text(bytes);
  if (text === undefined)
    return setError(
      field,
      `${file.name} is not UTF-8 text. Save it as UTF-8, or open another file.`,
      true,
    );
  setValue(field, text);
}

function utf8Text(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
