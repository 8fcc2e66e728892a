/** Reads and sets the fields of a tool's form. */
import type { FieldType } from '../../tool/fields.ts';
import { numberText } from '../../tool/number-text.ts';
import { valueIn } from '../../tool/value-in.ts';
import { byId, find, make } from './elements.ts';

export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const isField = (element: unknown): element is FormControl =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

const isCheckbox = (field: FormControl): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === 'checkbox';

export function setValue(field: FormControl, value: string): void {
  if (isCheckbox(field)) field.checked = value === 'true';
  else field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

export const enteredIn = (field: FormControl): string =>
  isCheckbox(field) ? String(field.checked) : field.value;

/** Returns the value that the field has when the page opens. */
export function initialIn(field: FormControl): string {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? '';
  }
  return isCheckbox(field) ? String(field.defaultChecked) : field.defaultValue;
}

export function isChanged(field: FormControl): boolean {
  return !(field instanceof HTMLSelectElement) && enteredIn(field) !== initialIn(field);
}

/** Returns the required parameters, and those whose values differ from the defaults of the API. */
export function parametersOf(fields: readonly FormControl[]): Record<string, unknown> {
  const entries = fields.map((field) => {
    const { name, value, dataset } = field;
    const required = field.required || 'empty' in dataset;
    const isChecked = isCheckbox(field) && field.checked;
    const type = dataset.type as FieldType;
    const standard = dataset.standard ?? '';
    return [name, valueIn({ type, standard, required }, value, isChecked)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Lists the time zones that the browser supports, with its own zone selected. */
export function offerZones(fields: readonly FormControl[]): void {
  const zones = fields.filter(
    (field): field is HTMLInputElement => field.dataset.control === 'zone',
  );
  for (const field of zones) {
    const options = Intl.supportedValuesOf('timeZone').map((name) => new Option(name));
    field.after(make('datalist', { id: 'zones' }, ...options));
    // The zone is set as the field's default, so it does not count as the visitor's input.
    field.defaultValue ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

/** Connects each color picker with its text field. The picker shows the color of the text if browsers know it. */
export function joinPickers(form: HTMLFormElement): void {
  const context = make('canvas').getContext('2d')!;
  for (const picker of form.querySelectorAll<HTMLInputElement>('[data-picks]')) {
    const field = byId<HTMLInputElement>(picker.dataset.picks!);
    picker.addEventListener('input', (event) => {
      event.stopPropagation();
      setValue(field, picker.value);
    });
    const show = () => {
      context.fillStyle = field.value || field.placeholder.replace(/^e\.g\. /, '');
      if (/^#/.test(String(context.fillStyle))) picker.value = String(context.fillStyle);
    };
    field.addEventListener('input', show);
    show();
  }
}

/** Shows the value of each slider beside the slider. */
export function showRanges(form: HTMLFormElement): void {
  // The slider that compares images in a result has no `output` element.
  const ranges = form.querySelectorAll<HTMLInputElement>('input[type="range"]:has(~ output)');
  for (const range of ranges) {
    const shown = find(range.parentElement!, 'output');
    const showValue = () => {
      shown.textContent = numberText(range.value, 'percent' in range.dataset);
    };
    range.addEventListener('input', showValue);
    showValue();
  }
}
