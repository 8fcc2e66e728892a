/** Turns a text result, which the service renders as HTML, into a file. */
import { stemOf } from '../../../lib/filename.ts';

/** Returns a text result as a file named after the input `file`. */
export function textFileOf(fragment: string, file: File): File {
  const page = parseHtml(fragment);
  const text = page.querySelector('code')?.textContent ?? page.body.textContent;
  const save = page.querySelector<HTMLElement>('[data-save]');
  const given = chosenExtension() ?? save?.dataset.save ?? '.txt';
  return new File([text], savedName(given, file), { type: 'text/plain' });
}

export const parseHtml = (fragment: string): Document =>
  new DOMParser().parseFromString(fragment, 'text/html');

/** Returns the name of `file` with the extension of `given`. */
const savedName = (given: string, { name }: File): string =>
  stemOf(name) + (/\.\w+$/.exec(given)?.[0] ?? '');

/**
 * Returns `given` named after the input `file`. A name that already begins with the name of the input is not
 * changed, because a tool may have added facts to it, such as `report-pages-1-3.pdf`.
 */
export const namedAfter = (given: string, file: File): string =>
  given.startsWith(stemOf(file.name)) ? given : savedName(given, file);

/** Names the text that the button in `root` saves after the input `file`. */
export function nameAfterFile(root: ParentNode, file: File): void {
  const save = root.querySelector<HTMLElement>('[data-save]');
  if (!save) return;
  save.dataset.save = savedName(chosenExtension() ?? save.dataset.save!, file);
  save.textContent = `Save as ${save.dataset.save}`;
}

/** Returns the extension of the format that the visitor chose, if the tool's text may have several formats. */
function chosenExtension(): string | undefined {
  const field = document.querySelector<HTMLSelectElement>('#tool-form [name="format"]');
  return field?.value === 'markdown' ? '.md' : undefined;
}
