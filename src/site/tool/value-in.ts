/** Converts the value of a form field to the value of its parameter. */
import type { Field } from './fields.ts';

/**
 * Returns the parameter's value. Returns undefined if an optional field is empty or has the default value. If the text
 * of a number field is not a number, it is returned unchanged, so that the API reports the error.
 */
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
  const value = Number(withPoint(text.trim()));
  return Number.isNaN(value) ? text : value;
}

/**
 * Replaces a decimal comma with a point. In a value such as `1,500`, the comma could also group digits, so it is kept.
 */
const withPoint = (text: string): string =>
  /^[+-]?\d+,\d+$/.test(text) && !/^[+-]?[1-9]\d{0,2},\d{3}$/.test(text)
    ? text.replace(',', '.')
    : text;

/** Adds a missing scheme, because visitors often omit it. */
const withScheme = (address: string): string =>
  address === '' || /^[a-z][\w+.-]*:\/\//i.test(address) ? address : `https://${address}`;
