/** Turns a text result, which the service renders as HTML, into a file. */

/** Returns a text result as a file, which is named after the input `file`. */
export function textFileOf(fragment: string, file: File): File {
  const page = parsed(fragment);
  const text = page.querySelector('code')?.textContent ?? page.body.textContent;
  const save = page.querySelector<HTMLElement>('[data-save]');
  return new File([text], savedName(save?.dataset.save ?? '.txt', file), { type: 'text/plain' });
}

export const parsed = (fragment: string): Document =>
  new DOMParser().parseFromString(fragment, 'text/html');

/** Returns the name of `file` with the extension of `given`. */
export const savedName = (given: string, { name }: File): string =>
  name.replace(/\.[^.]*$/, '') + (/\.\w+$/.exec(given)?.[0] ?? '');
