/** Renders the fields of a result as a list of names and values. */
import { Facts } from '../../design/facts.tsx';

/** Labels of fields whose names are not words that people use. */
const LABELS: Record<string, string> = { recognised: 'Pages read by OCR' };

export function FieldList({ value }: { value: Record<string, unknown> }) {
  const fields = Object.entries(value).flatMap(([name, field]): [string, unknown][] =>
    isRecord(field)
      ? Object.entries(field).map(([inner, innerField]) => [innerName(name, inner), innerField])
      : [[name, field]],
  );
  const shown = fields.filter(([, field]) => !(Array.isArray(field) && field.length === 0));
  return <Facts facts={shown.map(([name, field]) => [labelOf(name), shownValue(name, field)])} />;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the name of a field in an object. The fields of `metadata` describe the result itself. */
const innerName = (outer: string, inner: string): string =>
  outer === 'metadata' ? inner : `${outer} · ${inner}`;

/** Returns the label of a field: `pageCount` becomes `Page count`. */
const labelOf = (name: string): string =>
  LABELS[name] ??
  name
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\burl\b/g, 'URL')
    .replace(/^./, (first) => first.toUpperCase());

function shownValue(name: string, value: unknown) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return 'none';
  if (name === 'confidence') return `${Math.round(Number(value) * 100)} %`;
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'string') return name === 'format' ? value.toUpperCase() : value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number'))
    return value.join(', ');
  return <code>{JSON.stringify(value)}</code>;
}
