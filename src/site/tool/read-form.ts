/** Converts the form of a tool's page to a REST call. Browsers without scripts post the form. */
import type { Tool } from '../../core/define-tool.ts';
import { tooLarge, unsupportedMediaType } from '../../core/errors.ts';
import { SMALL_JSON_BYTES } from '../../core/large-call.ts';
import { MB } from '../../core/limits.ts';
import type { AppContext } from '../../http.ts';
import type { Sent } from './calls.ts';
import { type Field, fieldsOf } from './fields.ts';
import { valueIn } from './value-in.ts';

/** The maximum size of a form, which is buffered in memory. The page's script and the API stream larger files. */
const MAX_FORM_BYTES = 16 * MB;

/** The data in a posted form. */
export interface Filled {
  /** The entered values, which the page shows again. */
  values: Record<string, string>;
  parameters: Record<string, unknown>;
}

interface PostedForm extends Filled {
  /** The call as multipart/form-data for /api/v1/tools/execute. */
  call: FormData;
  sent: Sent;
}

/** Reads the body of a form. Throws 413 or 415, or 429 if the form is large and the caller has used up the quota. */
export async function readForm(c: AppContext): Promise<FormData> {
  const length = Number(c.req.header('Content-Length') ?? Number.NaN);
  // A request without a Content-Length header is refused too.
  if (!(length <= MAX_FORM_BYTES)) {
    throw tooLarge(
      `Forms are limited to ${MAX_FORM_BYTES / MB} MB without JavaScript. Enable JavaScript, or call the API.`,
    );
  }
  // A small form is always read, so that the page can show the entered values again.
  if (length <= SMALL_JSON_BYTES) return parseForm(c.req.raw);
  const admission = await c.env.startAdmission('execution');
  await admission.refuseIfExhausted();
  const large = c.env.large(admission.caller);
  return large.receive(length, () => parseForm(c.req.raw));
}

const parseForm = (request: Request): Promise<FormData> =>
  request.formData().catch(() => {
    throw unsupportedMediaType('Send the form as multipart/form-data.');
  });

/** Returns the values of these fields. `prefix` precedes the names of the fields in the form. */
export function readFields(form: FormData, fields: readonly Field[], prefix = ''): Filled {
  const values: Record<string, string> = {};
  const parameters: Record<string, unknown> = {};
  for (const field of fields) {
    const given = form.get(prefix + field.name);
    const text = typeof given === 'string' ? given : '';
    // A text field that is missing from the form gets its default.
    if (field.type === 'boolean') values[field.name] = String(given !== null);
    else if (given !== null) values[field.name] = text;
    const value = valueIn(field, text, given !== null);
    if (value !== undefined) parameters[field.name] = value;
  }
  return { values, parameters };
}

export async function readToolForm(c: AppContext, tool: Tool): Promise<PostedForm> {
  const form = await readForm(c);
  const filled = readFields(form, fieldsOf(tool));
  const call = new FormData();
  call.set('tool', tool.name);
  call.set('parameters', JSON.stringify(filled.parameters));
  const files: string[] = [];
  for (const name of ['file', 'files']) {
    for (const file of form.getAll(name) as (string | File)[]) {
      // If no file was chosen, a browser sends an empty file without a name.
      if (typeof file === 'string' || file.name === '') continue;
      call.append(name, file);
      files.push(file.name);
    }
  }
  return { ...filled, call, sent: { parameters: filled.parameters, files } };
}
