/** Converts the values of a request to the texts of controls on pages of the API reference, and back. */
import type { RequestField } from '../../core/reference.ts';

/** How a control's text is read. A `text` is omitted if it is empty, a `whole-text` is not. */
export type TextKind = 'text' | 'whole-text' | 'number' | 'json';

export function kindOf({ control, type, mayBeEmpty }: RequestField): TextKind {
  if (control === 'number') return 'number';
  if (control === 'json' || type === 'boolean') return 'json';
  return control !== 'choice' && mayBeEmpty ? 'whole-text' : 'text';
}

/** JSON with more characters is indented. */
const LINE = 60;

/** Returns the text for a value. An absent value has an empty text. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value);
  return json.length > LINE ? JSON.stringify(value, null, 2) : json;
}

/** Returns the value of a text, or undefined to omit the field. Throws a SyntaxError if the text is not JSON. */
export function fieldValue(kind: TextKind, text: string): unknown {
  if (text === '' && kind !== 'whole-text') return undefined;
  if (kind === 'number') return Number(text);
  return kind === 'json' ? JSON.parse(text) : text;
}
