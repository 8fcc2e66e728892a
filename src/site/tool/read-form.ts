/** A posted form of a tool's page, as browsers without scripts send it, as the call that REST takes. */
import type { Tool } from '../../core/define-tool.ts';
import { tooLarge, unsupportedMediaType } from '../../core/errors.ts';
import { MB } from '../../core/limits.ts';
import { type Field, fieldsOf } from './fields.ts';

/** A form is held in memory as a whole. Larger files go through the page's script, or the API, which stream. */
const MAX_FORM_BYTES = 16 * MB;

export interface PostedForm {
  /** As the person entered it, to be shown again. */
  values: Record<string, string>;
  /** The call as multipart/form-data for /api/v1/tools/execute. */
  call: FormData;
}

/** Throws 413 and 415. */
export async function readToolForm(request: Request, tool: Tool): Promise<PostedForm> {
  const length = Number(request.headers.get('Content-Length') ?? Number.NaN);
  // Also where no length is told.
  if (!(length <= MAX_FORM_BYTES)) {
    throw tooLarge(
      `Without scripts a form takes ${MAX_FORM_BYTES / MB} MB at most. Switch scripts on, or call the API.`,
    );
  }
  const form = await request.formData().catch(() => {
    throw unsupportedMediaType('Send the form as multipart/form-data.');
  });
  const values: Record<string, string> = {};
  const parameters: Record<string, unknown> = {};
  for (const field of fieldsOf(tool)) {
    const given = form.get(field.name);
    const text = typeof given === 'string' ? given : '';
    values[field.name] = field.type === 'boolean' ? String(given !== null) : text;
    const value = valueIn(field, text, given !== null);
    if (value !== undefined) parameters[field.name] = value;
  }
  const call = new FormData();
  call.set('tool', tool.name);
  call.set('parameters', JSON.stringify(parameters));
  for (const name of ['file', 'files']) {
    for (const file of form.getAll(name) as (string | File)[]) {
      // A browser sends an empty file without a name where none was chosen.
      if (typeof file !== 'string' && file.name !== '') call.append(name, file);
    }
  }
  return { values, call };
}

/** What the field says, undefined where it says nothing; tool-form.client.js does the same. */
function valueIn(field: Field, text: string, isThere: boolean): unknown {
  if (field.type === 'boolean') return isThere || undefined;
  if (text === '' && !field.required) return undefined;
  if (field.type === 'lines') {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  if (field.type === 'number' && text.trim() !== '') {
    const value = Number(text);
    return Number.isNaN(value) ? text : value;
  }
  return field.type === 'number' ? undefined : text.replaceAll('\r\n', '\n');
}
