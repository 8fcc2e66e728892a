/** Converts between the values of a request and the text of controls on pages of the API reference. */
import type { RequestField } from '../../core/reference.ts';

/** How a control's text is parsed. If it is empty, the field is omitted, except for `whole-text`. */
export type TextKind = 'text' | 'whole-text' | 'number' | 'json';

export function kindOf({ control, type, mayBeEmpty }: RequestField): TextKind {
  if (control === 'number') return 'number';
  if (control === 'json' || type === 'boolean') return 'json';
  return control !== 'choice' && mayBeEmpty ? 'whole-text' : 'text';
}

/** JSON with more characters is indented. */
const LINE = 60;

/** Returns a value as the text of a control. Returns an empty string if there is no value. */
export function textOf(value: unknown, kind: TextKind = 'text'): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && kind !== 'json') return value;
  const json = JSON.stringify(value);
  return json.length > LINE ? JSON.stringify(value, null, 2) : json;
}

/**
 * Parses a control's text. Returns undefined if the field is omitted. Throws a SyntaxError if the text is invalid JSON.
 */
export function fieldValue(kind: TextKind, text: string): unknown {
  if (text === '' && kind !== 'whole-text') return undefined;
  if (kind === 'number') return Number(text);
  return kind === 'json' ? JSON.parse(text) : text;
}
