/** Renders the parameters of a step on the chain page. A collapsed step shows its values in one line. */
import { isLinkName } from '../../core/link-name.ts';
import type { Field } from '../tool/fields.ts';
import { numberText } from '../tool/number-text.ts';
import { ParameterField } from '../tool/parameter-field.tsx';
import { stepFields } from './data-flow.ts';
import type { StepOutcome } from './run-steps.ts';
import { prefixOf, type Step } from './steps.ts';

interface StepOptionsProps {
  steps: readonly Step[];
  index: number;
  outcome: StepOutcome | undefined;
  isFolded: boolean;
}

/**
 * The maximum number of values in the summary of a collapsed step, and the maximum number of characters of each value.
 */
const MAX_VALUES = 4;
const MAX_CHARACTERS = 40;

export function StepOptions({ steps, index, outcome, isFolded }: StepOptionsProps) {
  const { values, parameters, id } = steps[index]!;
  const fields = stepFields(steps, index);
  const atField = fields.some(({ name }) => name === outcome?.param);
  // The field for a file that the previous step provides is collapsed and comes last, because few visitors change it.
  const isProvided = ({ name, unset }: Field) => isLinkName(name) && unset !== '' && !values[name];
  const isMore = (field: Field) =>
    field.isAdvanced || isProvided(field) || isReference(values[field.name]);
  const more = [
    ...fields.filter((field) => isMore(field) && !isProvided(field)),
    ...fields.filter(isProvided),
  ];
  // If every field belongs under "More options", there is only that section.
  const isFlat = more.length === fields.length;
  const isMoreOpen = more.some(
    ({ name }) => (values[name] && !isReference(values[name])) || outcome?.param === name,
  );
  const shown = (field: Field) => (
    <ParameterField
      field={hasReference(values[field.name]) ? { ...field, takesReferences: true } : field}
      prefix={prefixOf(index)}
      value={values[field.name]}
      error={outcome?.param === field.name ? outcome.message : undefined}
    />
  );
  if (fields.length === 0) return <p class="soft small">This tool has no options.</p>;
  const isIncomplete = fields.some(
    ({ name, required }) => required && !Object.hasOwn(parameters, name),
  );
  const isOpen = (!isFolded && !isFlat) || atField || isIncomplete;
  return (
    <details data-options={id} data-is-open={isOpen ? '' : undefined} open={isOpen}>
      <summary>
        {isFlat ? 'More options' : 'Options'}{' '}
        <span class="small soft values">{valuesText(fields, values)}</span>
      </summary>
      <div class="fields">
        {(isFlat ? more : fields.filter((field) => !isMore(field))).map(shown)}
        {!isFlat && more.length > 0 && (
          <details class="whole" open={isMoreOpen}>
            <summary>More options</summary>
            <div class="fields">{more.map(shown)}</div>
          </details>
        )}
      </div>
    </details>
  );
}

/** Returns the values that differ from the defaults, such as "Format: JPEG · Width: 1200". */
function valuesText(fields: readonly Field[], values: Step['values']): string {
  const texts = fields.flatMap((field) => {
    const value = values[field.name];
    if (!value || value === field.standard || value === field.initial || hasReference(value))
      return [];
    const name =
      field.choices.find(([choice]) => choice === value)?.[1] ??
      (field.isPercent ? numberText(value, true) : value);
    const text = name.replace(/\s+/g, ' ');
    const isCut = text.length > MAX_CHARACTERS;
    return [`${field.label}: ${isCut ? `${text.slice(0, MAX_CHARACTERS)}…` : text}`];
  });
  const unnamed = texts.length - MAX_VALUES;
  return [...texts.slice(0, MAX_VALUES), ...(unnamed > 0 ? [`${unnamed} more`] : [])].join(' · ');
}

const hasReference = (value = ''): boolean => value.includes('{{');

/** Whether a value consists only of a reference. Such a value is also shown above the fields. */
const isReference = (value = ''): boolean => /^\{\{[^{}]{1,300}\}\}$/.test(value);
