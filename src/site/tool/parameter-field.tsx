/** Renders a labeled field for one parameter, with its meaning and its error message. */
import { Message } from '../design/message.tsx';
import type { Field } from './fields.ts';
import { numberText } from './number-text.ts';

interface ParameterFieldProps {
  field: Field;
  /** The value that the visitor entered before, if the form is shown again. */
  value?: string;
  error?: string;
  /** The prefix of field names in a form with several tools. */
  prefix?: string;
}

export function ParameterField({ field, value, error, prefix = '' }: ParameterFieldProps) {
  const id = `${prefix}p-${field.name}`;
  const described = [field.hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' ');
  const common = {
    id,
    name: prefix + field.name,
    'data-type': field.type,
    'data-standard': field.standard || undefined,
    'data-control': field.control,
    'data-percent': field.isPercent ? '' : undefined,
    'data-page-only': field.isPageOnly ? '' : undefined,
    'aria-describedby': described,
    'aria-invalid': error ? ('true' as const) : undefined,
  };
  const below = (
    <>
      {field.hint && (
        <span class="hint" id={`${id}-hint`}>
          <Message text={field.hint} />
        </span>
      )}
      <span class="error" id={`${id}-error`} hidden={!error}>
        <Message text={error ?? ''} />
      </span>
    </>
  );
  if (field.type === 'boolean') {
    return (
      <div class={field.isPageOnly ? 'field scripted' : 'field'}>
        <div class="check">
          <input type="checkbox" {...common} checked={(value ?? field.initial) === 'true'} />
          <label for={id}>{field.label}</label>
        </div>
        {below}
      </div>
    );
  }
  return (
    <div
      class={['field', isWhole(field) ? 'whole' : '', field.isPageOnly ? 'scripted' : '']
        .filter(Boolean)
        .join(' ')}
    >
      <label for={id}>
        {field.label}
        {!field.required && field.initial === '' && <span class="hint"> optional</span>}
      </label>
      <Control field={field} common={common} value={value} />
      {field.takesFile && (
        <button
          type="button"
          class="small scripted"
          data-open-text={id}
          aria-label={`Open a text file: ${field.label}`}
        >
          Open a text file
        </button>
      )}
      {below}
    </div>
  );
}

/** Whether the field is as wide as the form. */
const isWhole = ({ rows, type, control }: Field) =>
  rows > 1 || type === 'address' || control === 'image-quality';

const INPUT_MODES: Record<string, 'url' | 'decimal'> = { address: 'url', decimal: 'decimal' };

interface ControlProps {
  field: Field;
  common: Record<string, string | undefined> & { id: string };
  value: string | undefined;
}

function Control({ field, common, value }: ControlProps) {
  if (field.choices.length > 0 && !(field.takesReferences && field.type !== 'choice'))
    return <Choice field={field} common={common} value={value} />;
  if (field.type === 'number' && field.control !== 'decimal' && !field.takesReferences)
    return <NumberInput field={field} common={common} value={value} />;
  if (field.rows > 1) {
    return (
      <textarea
        {...common}
        class="code"
        rows={field.rows}
        placeholder={field.placeholder}
        required={field.required && !field.mayBeEmpty}
        data-empty={field.mayBeEmpty ? '' : undefined}
        spellcheck={false}
      >
        {value ?? ''}
      </textarea>
    );
  }
  const input = (
    <input
      {...common}
      type="text"
      inputmode={INPUT_MODES[field.control ?? '']}
      value={value ?? (field.initial || undefined)}
      placeholder={field.placeholder}
      required={field.required}
      list={field.control === 'zone' ? 'zones' : undefined}
      autocomplete="off"
      spellcheck={false}
    />
  );
  if (field.control !== 'color') return input;
  return (
    <span class="picked">
      {input}
      <input
        type="color"
        class="scripted"
        data-picks={common.id}
        aria-label={`Pick: ${field.label}`}
      />
    </span>
  );
}

function Choice({ field, common, value }: ControlProps) {
  const chosen = value ?? field.initial;
  return (
    <select {...common} required={field.required}>
      {field.initial === '' && !field.required && <option value="">{field.unset}</option>}
      {field.choices.map(([choice, name]) => (
        <option value={choice} selected={choice === chosen}>
          {name}
        </option>
      ))}
    </select>
  );
}

function NumberInput({ field, common, value }: ControlProps) {
  const { minimum, maximum, initial } = field;
  const isRange =
    minimum !== undefined && maximum !== undefined && initial !== '' && maximum - minimum <= 60;
  const step = field.whole ? 1 : isRange ? 0.05 : 'any';
  const input = (
    <input
      {...common}
      type={isRange ? 'range' : 'number'}
      min={minimum}
      max={maximum}
      step={step}
      value={value ?? (initial || undefined)}
      placeholder={isRange ? undefined : field.placeholder}
      required={field.required}
    />
  );
  if (!isRange) return input;
  return (
    <span class="range">
      {input}
      <output for={common.id}>{numberText(value ?? initial, field.isPercent)}</output>
    </span>
  );
}
