/** Form fields derived from the JSON Schema of a tool's parameters. */
import { type JsonSchema, parametersSchema } from '../../catalogue/json-schema.ts';
import type { Tool } from '../../core/define-tool.ts';

export type FieldType = 'text' | 'number' | 'boolean' | 'choice' | 'lines';

export interface Field {
  name: string;
  label: string;
  type: FieldType;
  required: boolean;
  hint: string;
  choices: readonly string[];
  /** The label of a choice that is not set. */
  unset: string;
  /** The default, as the form shows it. */
  initial: string;
  /** An example, shown while the field is empty. */
  placeholder: string;
  minimum: number | undefined;
  maximum: number | undefined;
  whole: boolean;
  /** Whether a number may be replaced by a reference to another step's result. */
  takesReferences: boolean;
  /** Lines of a text field; 1 is a single line. */
  rows: number;
}

/** The fields of a tool, in the order of its definition. */
export function fieldsOf(tool: Tool): Field[] {
  const { properties = {}, required = [] } = parametersSchema(tool);
  const { form = {} } = tool;
  const { parameters = {} } = tool.example ?? {};
  return Object.entries(properties)
    .filter(([name]) => !/^fileUrls?$/.test(name))
    .map(([name, schema]) => ({
      name,
      label: form[name]?.label ?? labelOf(name),
      type: typeOf(schema),
      required: required.includes(name),
      hint: schema.description === undefined ? '' : String(schema.description),
      choices: (schema.enum as string[] | undefined) ?? [],
      unset: 'Not set',
      initial: schema.default === undefined ? '' : String(schema.default),
      placeholder: [parameters[name] ?? ''].flat().join('\n'),
      minimum: bound(schema.minimum),
      maximum: bound(schema.maximum),
      takesReferences: false,
      whole: schema.type === 'integer',
      rows: schema.type === 'array' ? 3 : (form[name]?.rows ?? 1),
    }));
}

/** Zod adds the safe integers as bounds to an integer without bounds. */
const bound = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

function labelOf(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^(url|json)$/i, (word) =>
    word.toUpperCase(),
  );
}

function typeOf(schema: JsonSchema): FieldType {
  // The value of a select is always a string.
  if (Array.isArray(schema.enum) && schema.type === 'string') return 'choice';
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'lines';
    default:
      return 'text';
  }
}
