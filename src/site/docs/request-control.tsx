/** Renders a labeled control for one field of a request. */
import type { RequestField } from '../../core/reference.ts';
import { kindOf, textOf } from './field-text.ts';

interface RequestControlProps {
  id: string;
  field: RequestField;
  value?: unknown;
  /** The text that is shown while the control is empty. */
  placeholder?: string | undefined;
  /** The attributes by which the script finds the control. */
  data: Record<`data-${string}`, string>;
}

/** The maximum length of the text in a control that shares its line with another control. */
const SHORT = 16;

const unquoted = (json: string): string => json.replaceAll('"', '');

export function RequestControl(props: RequestControlProps) {
  const { id, field, value, data } = props;
  const { name, type, isRequired, control, standard } = field;
  const placeholder = props.placeholder ?? (standard && `Default: ${unquoted(standard)}`);
  const text = textOf(value, kindOf(field));
  const isWide = control === 'text' || control === 'json' || text.length > SHORT;
  return (
    <div class={isWide ? 'field whole' : 'field'}>
      <label for={id}>
        <code>{name}</code> <span class="hint">{type}</span>
        {isRequired && <span class="hint required"> required</span>}
      </label>
      <Control
        field={field}
        text={text}
        isEnforced={isRequired && kindOf(field) !== 'whole-text'}
        common={{
          id,
          ...data,
          placeholder,
          'data-as': kindOf(field),
          'aria-describedby': control === 'json' ? `${id}-error` : undefined,
        }}
      />
      {control === 'json' && <span class="error" id={`${id}-error`} hidden />}
    </div>
  );
}

interface ControlProps {
  field: RequestField;
  text: string;
  /** Whether the browser refuses to submit the form while the control is empty. */
  isEnforced: boolean;
  common: Record<string, string | undefined>;
}

/** The maximum number of lines of a control. */
const MAX_ROWS = 10;

function Control({ field, text, isEnforced: required, common }: ControlProps) {
  const { control, type, minimum, maximum, values = [], off, isRequired } = field;
  switch (control) {
    case 'choice':
      return (
        <select {...common} placeholder={undefined} required={required}>
          {(!isRequired || text === '') && (
            <option value="">{common.placeholder ?? 'Not set'}</option>
          )}
          {values.map((value) => (
            <option value={value} selected={value === text}>
              {value}
              {off?.includes(value) && ' (off)'}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          {...common}
          type="number"
          required={required}
          min={minimum}
          max={maximum}
          step={type === 'integer' ? 1 : 'any'}
          value={text}
        />
      );
    case 'line':
      return <input {...common} required={required} value={text} spellcheck={false} />;
    default:
      return (
        <textarea
          {...common}
          class="code"
          required={required}
          rows={Math.min(MAX_ROWS, text.split('\n').length + (control === 'text' ? 1 : 0))}
          spellcheck={false}
        >
          {text}
        </textarea>
      );
  }
}
