/** Reads the data that our pages post: a small form, or JSON from a script. */
import { unsupportedMediaType } from '../core/errors.ts';
import { mediaTypeOf, parseObject, readBody } from '../lib/body.ts';

const MAX_BYTES = 64 * 1024;

export async function readPostedForm(request: Request): Promise<URLSearchParams> {
  return readPosted(
    request,
    'application/x-www-form-urlencoded',
    (text) => new URLSearchParams(text),
  );
}

/** Reads a JSON object that a script posted. */
export async function readPostedJson(request: Request): Promise<Record<string, unknown>> {
  return readPosted(request, 'application/json', (text) =>
    parseObject(text, 'The body', undefined),
  );
}

function readPosted<T>(request: Request, type: string, read: (text: string) => T): Promise<T> {
  if (mediaTypeOf(request.headers.get('Content-Type')) !== type)
    throw unsupportedMediaType(`The Content-Type must be ${type}.`);
  return readBody(request, MAX_BYTES, read);
}
