/** What a page of ours posts: a small form, or JSON of its script. */
import { unsupportedMediaType } from '../core/errors.ts';
import { mediaTypeOf } from '../lib/media-type.ts';
import { bodyText, parseObject } from '../lib/request-body.ts';

const MOST_BYTES = 64 * 1024;

/** The fields of a posted form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request, 'application/x-www-form-urlencoded'));
}

/** A posted JSON object. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  return parseObject(await readText(request, 'application/json'), 'The body', undefined);
}

function readText(request: Request, type: string): Promise<string> {
  if (mediaTypeOf(request.headers.get('Content-Type')) !== type)
    throw unsupportedMediaType(`Send this as ${type}.`);
  return bodyText(request, MOST_BYTES);
}
