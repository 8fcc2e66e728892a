/** Reads the request that a visitor enters on a page of the API reference. */
import { isLinkName } from '../../../core/link-name.ts';
import type { ReferenceRequest, SentRequest } from '../../../core/reference.ts';
import { find } from './elements.ts';
import type { FormControl } from './form-fields.ts';

/** Returns the chosen files and the name of their form part, or undefined if the endpoint takes no files. */
export function filesIn(form: HTMLFormElement): { part: string; files: File[] } | undefined {
  const input = form.querySelector<HTMLInputElement>('[data-part]');
  return input ? { part: input.dataset.part!, files: [...input.files!] } : undefined;
}

/** Returns the JSON body, or undefined if the request has no body or only a file. */
export const bodyIn = (form: HTMLFormElement): string | undefined =>
  form.querySelector<HTMLTextAreaElement>('[name="body"]')?.value;

export const keyIn = (form: HTMLFormElement): string =>
  find<HTMLInputElement>(form, '#api-key').value.trim();

/**
 * Inserts the parameters into a URL that contains the path parameters in braces, such as `{id}`, and returns the URL
 * and the headers. If `hasExamples` is true, example values replace empty path parameters and headers.
 */
export function withParameters(
  form: HTMLFormElement,
  template: string,
  hasExamples: boolean,
): { url: string; headers: Record<string, string> } {
  let path = template;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { value: entered, dataset } of form.querySelectorAll<FormControl>('[data-in]')) {
    const name = dataset.name!;
    const isFilled = hasExamples && dataset.in !== 'query';
    const value = entered || (isFilled ? dataset.example! : '');
    if (value === '') continue;
    if (dataset.in === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (dataset.in === 'query') query.set(name, value);
    else headers[name] = value;
  }
  return { url: query.size > 0 ? `${path}?${query}` : path, headers };
}

/**
 * Returns the request for the code samples. The example provides the values of empty path parameters and headers, and
 * the names of the files until files are chosen.
 */
export function shownRequest(form: HTMLFormElement): SentRequest {
  const example = JSON.parse(form.dataset.example!) as SentRequest;
  const file = JSON.parse(form.dataset.file ?? 'null') as ReferenceRequest['file'] | null;
  const { url, headers } = withParameters(form, example.url, true);
  const body = JSON.parse(bodyIn(form) ?? 'null') as Record<string, unknown> | null;
  const returnsFile =
    file && Object.entries(file.with).every(([name, value]) => body?.[name] === value);
  const reads = file ? (returnsFile ? file.name : 'json') : example.reads;
  const { part, files } = filesIn(form) ?? { part: '', files: [] };
  const hasLink = Object.keys(body ?? {}).some((name) => isLinkName(name));
  const chosen = files.map(({ name }) => name);
  const names = chosen.length > 0 || hasLink ? chosen : (example.form?.files ?? []);
  return {
    method: example.method,
    url,
    headers: {
      ...example.headers,
      ...headers,
      ...(keyIn(form) && { Authorization: 'Bearer YOUR_KEY' }),
    },
    ...(names.length > 0
      ? { form: { fields: body ?? {}, part, files: names } }
      : body !== null && { body }),
    ...(reads && { reads }),
    ...(example.mayBeJson && { mayBeJson: true }),
  };
}
