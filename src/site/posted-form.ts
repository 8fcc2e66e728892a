/** What a page of ours posts: a small form, or JSON of its script. */
import { badRequest, unsupportedMediaType } from '../core/errors.ts';
import { mediaTypeOf } from '../lib/media-type.ts';
import { bodyText } from '../lib/request-body.ts';

const MOST_BYTES = 64 * 1024;

/** The fields of a posted form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request, 'application/x-www-form-urlencoded'));
}

/** A posted JSON object. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request, 'application/json');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw badRequest('The body is not a JSON object.');
}

function readText(request: Request, type: string): Promise<string> {
  if (mediaTypeOf(request.headers.get('Content-Type')) !== type)
    throw unsupportedMediaType(`Send this as ${type}.`);
  return bodyText(request, MOST_BYTES);
}
