/** Converts the value of a form field to the value of its parameter. */
import type { Field } from './fields.ts';

/** Returns undefined if the field is empty and the parameter's default applies. */
export function valueIn(
  field: Pick<Field, 'type' | 'required' | 'standard'>,
  text: string,
  isChecked: boolean,
): unknown {
  if (field.type === 'boolean') {
    return isChecked === (field.standard === 'true') ? undefined : isChecked;
  }
  if ((text === '' || text === field.standard) && !field.required) return undefined;
  if (field.type === 'address') return withScheme(text.trim());
  if (field.type === 'lines') {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  if (field.type !== 'number') return text.replaceAll('\r\n', '\n');
  if (text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}

/** Visitors often omit the scheme. */
const withScheme = (address: string): string =>
  address === '' || /^[a-z][\w+.-]*:\/\//i.test(address) ? address : `https://${address}`;
