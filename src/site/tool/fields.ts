/** Derives form fields from the JSON Schema of a tool's parameters. */

import { type JsonSchema, parametersSchema } from '../../catalogue/json-schema.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { FormField } from '../../core/form-field.ts';
import { isLinkName } from '../../core/link-name.ts';

export type FieldType = 'text' | 'address' | 'number' | 'boolean' | 'choice' | 'lines';

export interface Field {
  name: string;
  label: string;
  type: FieldType;
  required: boolean;
  takesFile: boolean;
  /** Whether an empty string is sent as the value of a required parameter. */
  mayBeEmpty: boolean;
  hint: string;
  /** The possible values with their labels. Empty if the visitor can enter any value. */
  choices: readonly (readonly [value: string, name: string])[];
  /** The label of the choice that sends no value. */
  unset: string;
  /** The initial value in the form. */
  initial: string;
  /** The API's default. A field with this value is not sent. */
  standard: string;
  /** An example that is shown while the field is empty. */
  placeholder: string;
  minimum: number | undefined;
  maximum: number | undefined;
  whole: boolean;
  /** Whether the visitor may enter a reference to another step's result. If so, a number is entered as text. */
  takesReferences: boolean;
  /** The number of lines of a text field. */
  rows: number;
  control: FormField['control'];
  isPercent: boolean;
  isAdvanced: boolean;
  /** Whether only the page has the parameter, not the API. */
  isPageOnly: boolean;
}

/** The minimum number of lines of a tall field. */
const TALL = 4;

/** Returns the fields of a tool's page, including those that only the page has. */
export function pageFieldsOf(tool: Tool): Field[] {
  const { input, pageInput } = tool;
  if (!pageInput) return fieldsOf(tool);
  const fields = fieldsOf({ ...tool, input: input.safeExtend(pageInput.shape) });
  return fields.map((field) => ({ ...field, isPageOnly: field.name in pageInput.shape }));
}

/**
 * Returns the visible fields of a tool's form. The fields that `form` lists come first, and the others follow in the
 * order in which the parameters are defined.
 */
export function fieldsOf(tool: Tool): Field[] {
  const { properties = {}, required = [] } = parametersSchema(tool);
  const { form = {} } = tool;
  const { parameters = {} } = tool.example ?? {};
  const names = new Set([...Object.keys(form), ...Object.keys(properties)]);
  return [...names]
    .filter((name) => name in properties && !isLinkName(name) && !form[name]?.isHidden)
    .map((name) => {
      const schema = properties[name]!;
      const shown = form[name] ?? {};
      const standard = schema.default === undefined ? '' : String(schema.default);
      const values = (schema.enum as string[] | undefined) ?? [];
      return {
        name,
        label: shown.label ?? labelOf(name),
        type: shown.control === 'address' ? 'address' : typeOf(schema),
        required: required.includes(name),
        takesFile: shown.takesFile ?? false,
        mayBeEmpty: shown.mayBeEmpty ?? false,
        hint: shown.help ?? String(schema.description ?? ''),
        choices: Object.entries(
          shown.choices ?? Object.fromEntries(values.map((value) => [value, value])),
        ),
        unset: shown.unset ?? 'Not set',
        initial: String(shown.initial ?? standard),
        standard,
        placeholder: shown.placeholder ?? placeholderOf(parameters[name], shown.rows),
        minimum: bound(schema.minimum),
        maximum: bound(schema.maximum),
        takesReferences: false,
        whole: schema.type === 'integer',
        rows: shown.rows ?? (schema.type === 'array' ? 3 : 1),
        control: shown.control,
        isPercent: shown.isPercent ?? false,
        isAdvanced: shown.isAdvanced ?? false,
        isPageOnly: false,
      };
    });
}

/**
 * Returns the placeholder. It is marked as an example, so that it does not look like an entered value. A field with few
 * lines shows only the first line of the example.
 */
function placeholderOf(example: unknown, rows = 1): string {
  const text = [example ?? ''].flat().join('\n');
  if (text === '') return '';
  return rows >= TALL ? `For example:\n${text}` : `e.g. ${text.split('\n', 1)[0]}`;
}

/** Zod adds the safe-integer limits as bounds to an integer that has none. */
const bound = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

function labelOf(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^(url|json)$/i, (word) =>
    word.toUpperCase(),
  );
}

function typeOf(schema: JsonSchema): FieldType {
  // The value of a select element is always a string, so only enums of strings can be choices.
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
