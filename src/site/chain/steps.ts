/**
 * A chain as its page represents it: steps with their entered values, and what each step gets from the previous one.
 */
import { linkNameOf, type Tool } from '../../core/define-tool.ts';
import { isChainable } from '../../execute/chain-steps.ts';
import { fillingField, resultFields } from '../../execute/feed.ts';
import { JsonBudget, type Reference, replaceReferences } from '../../execute/references.ts';
import { findTool } from '../../tools/find-tool.ts';
import { type Field, fieldsOf } from '../tool/fields.ts';
import { readFields } from '../tool/read-form.ts';

export interface Step {
  tool: Tool;
  /** As entered. */
  values: Record<string, string>;
  /** The entered parameters; others are left to the previous step and to the defaults. */
  parameters: Record<string, unknown>;
}

/** A parameter that an earlier step fills. */
export interface Feed {
  /** The field of its result, and the step. */
  from: string;
  to: string;
}

export const prefixOf = (index: number): string => `step${index}-`;

/** The steps of a posted form. */
export function readSteps(form: FormData, most: number): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < most; index += 1) {
    const tool = findTool(String(form.get(`step${index}`) ?? ''));
    if (!tool || !isChainable(tool)) break;
    steps.push({ tool, ...readFields(form, plainFields(tool), prefixOf(index)) });
  }
  return steps;
}

/** A new step, empty or with these parameters. */
export function newStep(tool: Tool, parameters: Record<string, unknown> = {}): Step {
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, [value].flat().join('\n')]),
  );
  return { tool, values, parameters };
}

/** The fields of the step at `index`. Each states what happens if it is empty. */
export function stepFields(steps: readonly Step[], index: number): Field[] {
  const { tool, parameters } = steps[index]!;
  const previous = steps[index - 1]?.tool;
  return plainFields(tool).map((field) => {
    const from = fillingField(tool, parameters, field.name, previous);
    if (from !== null) {
      const told = `${from} of step ${index}`;
      return { ...field, placeholder: told, unset: `From step ${index}: ${from}` };
    }
    return { ...field, required: isNeeded(tool, field.name) };
  });
}

/** The values that earlier steps offer to the step at `index`: automatic values, and references. */
export function feedsOf(steps: readonly Step[], index: number): Feed[] {
  const { tool, parameters } = steps[index]!;
  const previous = steps[index - 1]?.tool;
  return plainFields(tool).flatMap(({ name, label }): Feed[] => {
    if (Object.hasOwn(parameters, name)) {
      return referencesIn(parameters[name]).map(({ step, path }) => {
        const at = step === null ? index : Number(step) + 1;
        return { from: `${path.join('.') || 'all'} of step ${at}`, to: label };
      });
    }
    const from = fillingField(tool, parameters, name, previous);
    return from === null ? [] : [{ from: `${from} of step ${index}`, to: label }];
  });
}

function referencesIn(value: unknown): Reference[] {
  const found: Reference[] = [];
  try {
    replaceReferences(
      value,
      (reference) => {
        found.push(reference);
        return '';
      },
      new JsonBudget(),
    );
  } catch {
    // Malformed references are reported when the chain runs.
  }
  return found;
}

/** The fields that later steps can refer to. */
export const givenBy = ({ tool }: Step): string[] => [...resultFields(tool)];

function isNeeded(tool: Tool, name: string): boolean {
  if (name === linkNameOf(tool)) return (tool.files?.min ?? 0) > 0;
  return fieldsOf(tool).some((field) => field.name === name && field.required);
}

/** The fields of a tool, all of them optional: the previous step or the default fills an empty field. */
function plainFields(tool: Tool): Field[] {
  const link = linkNameOf(tool);
  const fields = fieldsOf(tool).map(
    (field): Field => ({
      ...field,
      required: false,
      takesReferences: true,
      rows: Math.min(field.rows, 4),
      initial: field.type === 'boolean' ? field.standard : '',
      placeholder: field.standard === '' ? field.placeholder : field.standard,
      unset: field.standard === '' ? field.unset : `Default: ${nameOf(field)}`,
    }),
  );
  return link ? [linkField(link), ...fields] : fields;
}

const nameOf = ({ choices, standard }: Field) =>
  choices.find(([value]) => value === standard)?.[1] ?? standard;

const linkField = (name: string): Field => ({
  name,
  takesReferences: true,
  label: name === 'fileUrls' ? 'Links to the files' : 'Link to the file',
  type: name === 'fileUrls' ? 'lines' : 'text',
  required: false,
  hint: name === 'fileUrls' ? 'Stored files, one link per line.' : 'A stored file.',
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
});
