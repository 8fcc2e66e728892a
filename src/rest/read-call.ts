/** Parses a tool call, JSON or multipart/form-data, to the pipeline's input. */
import type { Tool } from '../core/define-tool.ts';
import { badRequest, unsupportedMediaType } from '../core/errors.ts';
import type { LargeCall } from '../core/large-call.ts';
import { MAX_BODY_BYTES, MAX_JSON_BYTES } from '../core/limits.ts';
import type { SpoolPort } from '../core/ports.ts';
import { isJsonType, mediaTypeOf } from '../lib/media-type.ts';
import {
  checkEncoding,
  checkFieldCount,
  checkLength,
  parseObject,
  readBody,
} from '../lib/request-body.ts';
import { toolNamed } from '../tools/find-tool.ts';
import { readMultipart } from './multipart.ts';
import type { RestCall } from './rest-call.ts';

export const MULTIPART = 'multipart/form-data';

/** The media type of a request's body, without parameters; empty if there is none. */
export const bodyType = (request: Request): string =>
  mediaTypeOf(request.headers.get('Content-Type'));

/**
 * Reads the body, after checking its length. `type` is the result of bodyType. If the path names the tool, the body has
 * only its parameters.
 */
export function readCall(
  request: Request,
  type: string,
  tool: Tool | undefined,
  spooling: () => SpoolPort,
  large: () => LargeCall,
): Promise<RestCall> {
  if (type === MULTIPART) {
    checkEncoding(request);
    checkLength(request, MAX_BODY_BYTES);
    return readMultipart(request, spooling(), large(), tool);
  }
  const sent = tool ? 'the parameters' : 'the call';
  const what = `${sent} as application/json, or as multipart/form-data if files are attached`;
  const read: (body: Record<string, unknown>) => RestCall = tool
    ? ({ webhook, ...parameters }) => ({
        webhook,
        tool,
        parameters,
        files: [],
        warnings: [],
      })
    : toCall;
  return readObject(request, what, type, large, read);
}

function toCall({ tool, parameters, webhook, ...others }: Record<string, unknown>): RestCall {
  const misplaced = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  return {
    tool: toolNamed(tool),
    parameters: asParameters(parameters),
    webhook,
    files: [],
    warnings: misplaced
      ? [`"${misplaced}" beside "tool" was ignored: put parameters into the object "parameters".`]
      : [],
  };
}

/**
 * Reads a JSON object of at most 8 MiB from the request's body. Throws 415 for another media type; `what` tells the
 * caller what to send.
 */
export const readJson = (
  request: Request,
  what: string,
  large: () => LargeCall,
): Promise<Record<string, unknown>> =>
  readObject(request, what, bodyType(request), large, (body) => body);

function readObject<T>(
  request: Request,
  what: string,
  type: string,
  large: () => LargeCall,
  read: (body: Record<string, unknown>) => T,
): Promise<T> {
  checkEncoding(request);
  if (!isJsonType(type)) {
    throw unsupportedMediaType(
      `Send ${what}, not as ${type || 'a body without Content-Type'}. ` +
        "With curl: -H 'Content-Type: application/json'.",
    );
  }
  return readBody(
    request,
    MAX_JSON_BYTES,
    (text) => read(parseObject(text, 'The body', undefined)),
    large,
  );
}

/** The `parameters` of a call: an object, or omitted. */
export function asParameters(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest('"parameters" must be an object with the tool\'s parameters.', 'parameters');
  }
  checkFieldCount(value, '"parameters"', 'parameters');
  return value as Record<string, unknown>;
}

/** Whether the caller asks for a job instead of waiting for the result (`Prefer: respond-async`, RFC 7240 §4.1). */
export const prefersAsync = (request: Request): boolean =>
  (request.headers.get('Prefer') ?? '')
    .split(',')
    .some((preference) => preference.split(';', 1)[0]!.trim().toLowerCase() === 'respond-async');
