/** Renders the fields of a result as a list of names and values. */
import { Facts } from '../../design/facts.tsx';

export function FieldList({ value }: { value: Record<string, unknown> }) {
  const fields = Object.entries(value).flatMap(([name, field]): [string, unknown][] =>
    isRecord(field)
      ? Object.entries(field).map(([inner, innerField]) => [`${name} · ${inner}`, innerField])
      : [[name, field]],
  );
  const shown = fields.filter(([, field]) => !(Array.isArray(field) && field.length === 0));
  return <Facts facts={shown.map(([name, field]) => [labelOf(name), shownValue(name, field)])} />;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the label of a field: `pageCount` becomes `Page count`. */
const labelOf = (name: string): string =>
  name
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\burl\b/g, 'URL')
    .replace(/^./, (first) => first.toUpperCase());

function shownValue(name: string, value: unknown) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return 'none';
  if (name === 'confidence') return `${Math.round(Number(value) * 100)} %`;
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'string') return value;
  return <code>{JSON.stringify(value)}</code>;
}
