/** The properties of a JSON Schema as a table. */

import type { JsonSchema } from '../../catalogue/json-schema.ts';
import { Table } from '../design/table.tsx';
import { Described } from './described.tsx';

export function PropertyTable({ schema, name }: { schema: JsonSchema; name: string }) {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return <p class="soft">None.</p>;
  return (
    <Table label={name} columns={['Name', 'Type', 'Meaning']} look="parameters">
      {properties.map(([property, part]) => (
        <tr>
          <td>
            <code>{property}</code>
            {schema.required?.includes(property) && <span class="hint"> required</span>}
          </td>
          <td>{typeText(part)}</td>
          <td>
            <Described text={String(part.description ?? '')} />
            {part.default !== undefined && (
              <span class="hint"> Default: {String(part.default)}.</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function typeText(part: JsonSchema): string {
  if (Array.isArray(part.enum)) return part.enum.join(', ');
  if (typeof part.$ref === 'string') return part.$ref.split('/').at(-1)!;
  if (part.type === 'array')
    return `array of ${part.items ? typeText(part.items as JsonSchema) : 'values'}`;
  if (part.type) return [part.type].flat().join(' or ');
  const some = (part.anyOf ?? part.oneOf ?? []) as JsonSchema[];
  return some.map(typeText).join(' or ') || String(part.const ?? 'any');
}
