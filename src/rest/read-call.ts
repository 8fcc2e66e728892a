/** Parses an execute request, JSON or multipart/form-data, to the pipeline's input. */
import type { Tool } from '../core/define-tool.ts';
import { badRequest, unsupportedMediaType } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MAX_BODY_BYTES, MAX_JSON_BYTES } from '../core/limits.ts';
import type { SpoolPort } from '../core/ports.ts';
import { toolNamed } from '../execute/tool-named.ts';
import { isJsonType, mediaTypeOf } from '../lib/media-type.ts';
import { checkEncoding, checkLength, parseObject, readBody } from '../lib/request-body.ts';
import { readMultipart } from './multipart.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** Deletes what the request left in storage and nothing stored; absent if there can be none. */
  release?(): Promise<void>;
}

export const MULTIPART = 'multipart/form-data';

/** The media type of a request's body, without parameters; empty if there is none. */
export const bodyType = (request: Request): string =>
  mediaTypeOf(request.headers.get('Content-Type'));

/** Reads the body, after checking its length. `type` is the result of bodyType. */
export function readCall(request: Request, type: string, spooling: SpoolPort): Promise<RestCall> {
  if (type === MULTIPART) {
    checkEncoding(request);
    checkLength(request, MAX_BODY_BYTES);
    return readMultipart(request, spooling);
  }
  const what = 'the call as application/json, or as multipart/form-data where files are attached';
  return readObject(request, what, type, toCall);
}

function toCall({ tool, parameters, ...others }: Record<string, unknown>): RestCall {
  const misplaced = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  return {
    tool: toolNamed(tool),
    parameters: asParameters(parameters),
    files: [],
    warnings: misplaced
      ? [`"${misplaced}" beside "tool" was ignored: parameters go into the object "parameters".`]
      : [],
  };
}

/**
 * Reads a JSON object from the request's body, at most 8 MiB. Throws 415 for another type; `what` should be sent
 * instead.
 */
export const readJson = (request: Request, what: string): Promise<Record<string, unknown>> =>
  readObject(request, what, bodyType(request), (body) => body);

function readObject<T>(
  request: Request,
  what: string,
  type: string,
  read: (body: Record<string, unknown>) => T,
): Promise<T> {
  checkEncoding(request);
  if (!isJsonType(type)) {
    throw unsupportedMediaType(
      `Send ${what}, not as ${type || 'a body without Content-Type'}. ` +
        "With curl: -H 'Content-Type: application/json'.",
    );
  }
  return readBody(request, MAX_JSON_BYTES, (text) =>
    read(parseObject(text, 'The body', undefined)),
  );
}

/** The `parameters` of a call: an object, or omitted. */
export function asParameters(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest('"parameters" must be an object with the tool\'s parameters.', 'parameters');
  }
  return value as Record<string, unknown>;
}
