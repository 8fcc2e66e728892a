/** Offers to run the tool again with the choice that a warning or an error suggests. */
import { make } from './elements.ts';
import { setValue } from './form-fields.ts';

/** Matches a parameter and its suggested value, which messages write as in JSON: `ocr: "auto"`. */
const SUGGESTED = /\b(\w{1,30}): "(\w{1,30})"/;

/**
 * Returns the message, and a button that runs the tool with the suggested choice. The button replaces a sentence that
 * names the parameter, because visitors do not know it.
 */
export function suggestedRun(message: string): { text: string; button?: HTMLElement } {
  const [suggestion, name, value] = SUGGESTED.exec(message) ?? [];
  if (suggestion === undefined) return { text: message };
  const option = document.querySelector<HTMLOptionElement>(
    `#tool-form [name="${name}"] option[value="${value}"]`,
  );
  const field = option?.closest('select');
  if (!field?.form) return { text: message };
  const sentences = message.split(/(?<=\.) /).filter((sentence) => !sentence.includes(suggestion));
  const label = option!.text;
  const textContent = message.includes('Run again with') ? `Run again with ${label}` : label;
  const button = make('button', { type: 'button', className: 'small', textContent });
  button.onclick = () => {
    setValue(field, option!.value);
    field.form!.requestSubmit();
  };
  return { text: sentences.join(' '), button };
}
