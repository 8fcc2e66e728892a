/** Converts a tool page's form, as browsers without scripts post it, to a REST call. */
import type { Tool } from '../../core/define-tool.ts';
import { tooLarge, unsupportedMediaType } from '../../core/errors.ts';
import { SMALL_JSON_BYTES } from '../../core/large-call.ts';
import { MB } from '../../core/limits.ts';
import type { AppContext } from '../../http.ts';
import type { Sent } from './calls.ts';
import { type Field, fieldsOf } from './fields.ts';
import { valueIn } from './value-in.ts';

/** A form is buffered in memory. Larger files are sent by the page's script or the API, which stream. */
const MAX_FORM_BYTES = 16 * MB;

/** The fields of a form. */
export interface Filled {
  /** The values as entered, to be shown again. */
  values: Record<string, string>;
  parameters: Record<string, unknown>;
}

interface PostedForm extends Filled {
  /** The call as multipart/form-data for /api/v1/tools/execute. */
  call: FormData;
  sent: Sent;
}

/** Reads the body of a form. Throws 413 and 415, and 429 if the form is large and its caller has no executions left. */
export async function readForm(c: AppContext): Promise<FormData> {
  const length = Number(c.req.header('Content-Length') ?? Number.NaN);
  // An unknown length is refused too.
  if (!(length <= MAX_FORM_BYTES)) {
    throw tooLarge(
      `Forms are limited to ${MAX_FORM_BYTES / MB} MB without JavaScript. Enable JavaScript, or call the API.`,
    );
  }
  // A small form is always read, so that its page can show again what was entered.
  if (length <= SMALL_JSON_BYTES) return parseForm(c.req.raw);
  const admission = await c.env.arrive('execution');
  await admission.refuseSpent();
  const large = c.env.large(admission.caller);
  return large.receive(length, () => parseForm(c.req.raw));
}

const parseForm = (request: Request): Promise<FormData> =>
  request.formData().catch(() => {
    throw unsupportedMediaType('Send the form as multipart/form-data.');
  });

/** Returns the values of these fields; `prefix` precedes their names. */
export function readFields(form: FormData, fields: readonly Field[], prefix = ''): Filled {
  const values: Record<string, string> = {};
  const parameters: Record<string, unknown> = {};
  for (const field of fields) {
    const given = form.get(prefix + field.name);
    const text = typeof given === 'string' ? given : '';
    // The home page's form has only some fields. Missing text fields keep their defaults.
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
      // A browser sends an empty file without a name if none was chosen.
      if (typeof file === 'string' || file.name === '') continue;
      call.append(name, file);
      files.push(file.name);
    }
  }
  return { ...filled, call, sent: { parameters: filled.parameters, files } };
}
