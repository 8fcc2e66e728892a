/** Preserves the text in fields across a reload and the back button. */
import { savedWork, saveWork } from './session.ts';

/** Restores the saved text, and saves the current text when the visitor leaves the page. */
export function saveTexts(fields: readonly (HTMLInputElement | HTMLTextAreaElement)[]): void {
  const { values = {} } = savedWork() ?? {};
  for (const field of fields) field.value = values[field.id] ?? field.value;
  addEventListener('pagehide', () => {
    const texts = fields.map(({ id, value }) => [id, value]);
    saveWork({ values: Object.fromEntries(texts), files: [] });
  });
}
