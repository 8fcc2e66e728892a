/** Preserves the texts of fields across a reload and the back button. */
import { savedWork, saveWork } from './session.ts';

/** Restores the saved texts, and saves the texts when the visitor leaves the page. */
export function saveTexts(fields: readonly (HTMLInputElement | HTMLTextAreaElement)[]): void {
  const { values = {} } = savedWork() ?? {};
  for (const field of fields) field.value = values[field.id] ?? field.value;
  addEventListener('pagehide', () => {
    const texts = fields.map(({ id, value }) => [id, value]);
    saveWork({ values: Object.fromEntries(texts), files: [] });
  });
}
