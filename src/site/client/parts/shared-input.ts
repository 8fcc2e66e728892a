/**
 * Copies a link to this page with the values of its form, and fills the form from such a link. The values are in the
 * fragment of the address, which browsers never send to a server.
 */
import { enteredIn, type FormControl, initialIn, setValue } from './form-fields.ts';

/** The maximum length of a link. Messengers and other programs cut longer ones. */
const MAX_CHARACTERS = 8000;

/** Does nothing on the page of a tool whose input is secret, which has no button. */
export function shareInput(form: HTMLFormElement, fields: readonly FormControl[]): void {
  const button = form.querySelector<HTMLButtonElement>('[data-link]');
  if (!button) return;
  const text = button.textContent;
  button.addEventListener('click', async () => {
    button.textContent = await copy(linkTo(fields));
    setTimeout(() => {
      button.textContent = text;
    }, 3000);
  });
  button.disabled = false;
  const fillIn = () => fillFromLink(fields);
  addEventListener('hashchange', fillIn);
  fillIn();
}

/** Copies the link, and returns the message for the button. */
async function copy(link: string): Promise<string> {
  if (link.length > MAX_CHARACTERS) return 'The input is too long for a link';
  try {
    await navigator.clipboard.writeText(link);
    return 'Copied';
  } catch {
    return 'Copying is not supported';
  }
}

/** The time zone is always in the link, because its initial value is the zone of the visitor's browser. */
function linkTo(fields: readonly FormControl[]): string {
  const given = fields.filter(
    (field) => field.dataset.control === 'zone' || enteredIn(field) !== initialIn(field),
  );
  const values = new URLSearchParams(given.map((field) => [field.name, enteredIn(field)]));
  const { origin, pathname } = location;
  return given.length > 0 ? `${origin}${pathname}#${values}` : origin + pathname;
}

/**
 * Fields that the link omits get their initial values. The fragment is then removed, because it no longer describes the
 * form after the visitor's next change, and a reload restores the form anyway.
 */
function fillFromLink(fields: readonly FormControl[]): void {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!fields.some(({ name }) => given.has(name))) return;
  history.replaceState(null, '', location.pathname);
  for (const field of fields) {
    const value = given.get(field.name);
    setValue(field, value !== null && isPossible(field, value) ? value : initialIn(field));
  }
}

const isPossible = (field: FormControl, value: string): boolean =>
  !(field instanceof HTMLSelectElement) ||
  [...field.options].some((option) => option.value === value);
