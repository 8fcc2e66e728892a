/** Marks the tools that are switched off on this server among the values of the fields named `tool`. */
import type { ReferenceField, ReferencePage } from '../../core/reference.ts';

/** Returns the page with these tools marked, in its field lists and in the form that sends a request. */
export function withOffMarked(page: ReferencePage, off: ReadonlySet<string>): ReferencePage {
  const { groups, request } = page;
  return {
    ...page,
    groups: groups.map((group) => ({ ...group, fields: marked(group.fields, off) })),
    request: {
      ...request,
      fields: request.fields.map((field) =>
        field.name === 'tool' ? { ...field, off: [...off] } : field,
      ),
    },
  };
}

const marked = (fields: readonly ReferenceField[], off: ReadonlySet<string>): ReferenceField[] =>
  fields.map((field) => ({
    ...field,
    meaning:
      field.name === 'tool'
        ? field.meaning.replace(/`(\w+)`/g, (code, name) =>
            off.has(name) ? `${code} (off on this server)` : code,
          )
        : field.meaning,
    fields: marked(field.fields, off),
  }));
