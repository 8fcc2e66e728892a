/** Offers to run the tool again with the choice that a warning or an error suggests. */
import { make } from './elements.ts';
import { setValue } from './form-fields.ts';

/** Matches a suggested value, either with its parameter, as in `ocr: "auto"`, or as in "level strong may". */
const SUGGESTED = /\b(\w{1,30}): "(\w{1,30})"|level (\w{1,30}) may/;

/**
 * Returns the message, and a button that runs the tool with the suggested choice. The button replaces a sentence that
 * names the parameter, because visitors do not know it.
 */
export function suggestedRun(message: string): { text: string; button?: HTMLElement } {
  const [found, name, value, level] = SUGGESTED.exec(message) ?? [];
  if (found === undefined) return { text: message };
  const of = name === undefined ? '' : `[name="${name}"] `;
  const option = document.querySelector<HTMLOptionElement>(
    `#tool-form ${of}option[value="${value ?? level}"]`,
  );
  const field = option?.closest('select');
  if (!field?.form) return { text: message };
  const sentences = message
    .split(/(?<=\.) /)
    .filter((sentence) => level || !sentence.includes(found));
  const label = option!.text;
  const again = message.includes('Run again with') ? `Run again with ${label}` : label;
  const textContent = level ? `Try ${label.toLowerCase()}` : again;
  const button = make('button', { type: 'button', className: 'small', textContent });
  button.onclick = () => {
    setValue(field, option!.value);
    field.form!.requestSubmit();
  };
  return { text: sentences.join(' '), button };
}
