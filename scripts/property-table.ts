/** Formats the properties of a JSON Schema as a Markdown table, for parameters and results. */
import type { JsonSchema } from '../src/catalogue/json-schema.ts';

export function propertyTable(title: string, schema: JsonSchema): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return '';
  const rows = properties.map(([name, property]) => [
    `\`${name}\``,
    typeOf(property),
    title === 'Result' ? '' : schema.required?.includes(name) ? 'yes' : 'no',
    [property.description, boundsOf(property)].filter(Boolean).join(' '),
  ]);
  return title === 'Result'
    ? table(
        ['Result', 'type', 'notes'],
        rows.map(([name, type, , notes]) => [name!, type!, notes!]),
      )
    : table(['Parameter', 'type', 'required', 'notes'], rows);
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return (schema.enum as unknown[]).map((value) => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as JsonSchema[]).map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  return String(schema.type ?? 'any');
}

function boundsOf(schema: JsonSchema): string {
  const bounds: [string, unknown][] = [
    ['Default', schema.default],
    ['At least', schema.minimum],
    ['At most', schema.maximum],
    ['Maximum characters', schema.maxLength],
  ];
  return bounds
    .filter(
      ([, value]) => value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER,
    )
    .map(([word, value]) => `${word}: ${JSON.stringify(value)}.`)
    .join(' ');
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
