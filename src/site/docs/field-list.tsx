/** Lists fields with their types and meanings. The fields of an object are collapsible. */
import type { ReferenceField } from '../../core/reference.ts';
import { Described } from './described.tsx';

interface FieldListProps {
  fields: readonly ReferenceField[];
  /** Whether these are response fields. If so, the optional fields are marked instead of the required ones. */
  areReturned?: boolean;
}

export function FieldList({ fields, areReturned = false }: FieldListProps) {
  return (
    <ul class="field-list">
      {fields.map(({ name, type, meaning, isRequired, fields: inner }) => (
        <li>
          <p>
            <code>{name}</code> <span class="small soft">{type}</span>
            {isRequired && !areReturned && <span class="small required"> required</span>}
            {!isRequired && areReturned && <span class="small soft"> optional</span>}
          </p>
          <p class="small">
            <Described text={meaning} />
          </p>
          {inner.length > 0 && (
            <details>
              <summary class="small">
                {inner.length === 1 ? '1 field' : `${inner.length} fields`} of <code>{name}</code>
              </summary>
              <FieldList fields={inner} areReturned={areReturned} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
