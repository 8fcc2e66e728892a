/** Copies a link to this page with the values of its form, and fills the form from such a link. */
import { enteredIn, type FormControl, initialIn, setValue } from './form-fields.ts';
import { copyLink, linkWith, MAX_CHARACTERS, showOn, takeValues } from './fragment-link.ts';

/** Does nothing on a page without the button, such as that of a tool whose input is secret. */
export function shareInput(form: HTMLFormElement, fields: readonly FormControl[]): void {
  const button = form.querySelector<HTMLButtonElement>('[data-link]');
  if (!button) return;
  button.addEventListener('click', () => {
    const link = linkTo(fields);
    if (link.length > MAX_CHARACTERS) showOn(button, 'The input is too long for a link');
    else void copyLink(button, link);
  });
  button.disabled = false;
  const fillIn = () => fillFromLink(fields);
  addEventListener('hashchange', fillIn);
  fillIn();
}

/** The time zone is always in the link, because its initial value is the zone of the visitor's browser. */
function linkTo(fields: readonly FormControl[]): string {
  const given = fields.filter(
    (field) => field.dataset.control === 'zone' || enteredIn(field) !== initialIn(field),
  );
  const values = given.map((field) => [field.name, enteredIn(field)]);
  const page = location.origin + location.pathname;
  return given.length > 0 ? linkWith(page, values) : page;
}

/** Fields that the link omits get their initial values. */
function fillFromLink(fields: readonly FormControl[]): void {
  const given = takeValues(fields.map(({ name }) => name));
  if (!given) return;
  for (const field of fields) {
    const value = given.get(field.name);
    setValue(field, value !== null && isPossible(field, value) ? value : initialIn(field));
  }
}

const isPossible = (field: FormControl, value: string): boolean =>
  !(field instanceof HTMLSelectElement) ||
  [...field.options].some((option) => option.value === value);
