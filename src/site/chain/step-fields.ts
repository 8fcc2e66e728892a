/** The form fields of a step. All are optional, because the previous step or the default fills an empty one. */
import { linkNameOf, type Tool } from '../../core/define-tool.ts';
import { type Field, fieldsOf } from '../tool/fields.ts';
import { UPLOAD } from './steps.ts';

/** Whether the tool cannot run without a value for the field. */
export function isNeeded(tool: Tool, name: string): boolean {
  if (name === linkNameOf(tool)) return (tool.files?.min ?? 0) > 0;
  return fieldsOf(tool).some((field) => field.name === name && field.required);
}

/** Returns the fields of a tool, regardless of the values that a previous step provides. */
export function plainFields(tool: Tool): Field[] {
  if (tool.name === UPLOAD) return [];
  const link = linkNameOf(tool);
  const fields = fieldsOf(tool)
    .map((field) => inChain(tool, field))
    .map(
      (field): Field => ({
        ...field,
        required: false,
        takesReferences: !isChosen(field),
        rows: Math.min(field.rows, 4),
        initial: field.type === 'boolean' ? field.standard : field.isPercent ? field.initial : '',
        placeholder: field.standard === '' ? field.placeholder : field.standard,
        unset: field.standard === '' ? field.unset : `Default: ${nameOf(field)}`,
      }),
    );
  return link ? [linkField(link), ...fields] : fields;
}

/** Returns the field with the texts that its tool defines for the chain page. */
function inChain({ form = {} }: Tool, field: Field): Field {
  const { label, help, choices } = form[field.name]?.inChain ?? {};
  return {
    ...field,
    label: label ?? field.label,
    hint: help ?? field.hint,
    choices: choices ? Object.entries(choices) : field.choices,
  };
}

/** Whether the visitor chooses a number from a list or with a slider. */
const isChosen = ({ type, choices, isPercent }: Field): boolean =>
  type === 'number' && (choices.length > 0 || isPercent);

const nameOf = ({ choices, standard }: Field) =>
  choices.find(([value]) => value === standard)?.[1] ?? standard;

const linkField = (name: string): Field => ({
  name,
  takesReferences: true,
  label: name === 'fileUrls' ? 'Links to the files' : 'Link to the file',
  type: name === 'fileUrls' ? 'lines' : 'text',
  required: false,
  takesFile: false,
  mayBeEmpty: false,
  hint: name === 'fileUrls' ? 'Links to stored files, one per line.' : 'The link to a stored file.',
  choices: [],
  unset: '',
  initial: '',
  standard: '',
  placeholder: '',
  minimum: undefined,
  maximum: undefined,
  whole: false,
  rows: name === 'fileUrls' ? 3 : 1,
  control: undefined,
  isPercent: false,
  isAdvanced: false,
  isPageOnly: false,
});
